-- By what names entities are asked for, and what those that have had several names were called through time. countries: of a company and of a listed
-- class of its shares, the country that each description of the company gives, from the retrieval of its file on; else empty. Grain: entity_id.
select
    entities.entity_id,
    entities.slug,
    entities.iso2,
    entities.iso3,
    entities.names,
    coalesce(
        list_transform(companies.descriptions, lambda one: { country: one.country, known_from: epoch_ms(one.known_from)::double }), []
    ) as countries,
from published.entities
left join published.companies
    on companies.entity_id = if(entities.entity_type = 'instrument', entities.parent_entity_id, entities.entity_id)
