-- By what names entities are asked for, and what those that have had several names were called through time. Grain: entity_id.
select entity_id, slug, iso2, iso3, names
from published.entities
