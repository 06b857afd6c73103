-- Names by which entities can be found, and the history of names of entities with several. countries: for a company and
-- a listed class of its shares, the country in each description, from the retrieval of its file on; else empty. Grain:
-- entity_id.
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
