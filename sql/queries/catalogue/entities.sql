-- By what names entities are asked for. Grain: entity_id.
select entity_id, slug, iso2, iso3
from published.entities
