-- The entities that can be screened. known_from is null where an entity's own series say it; classes: a company's sectors since when each was known.
select
    entities.entity_id,
    entities.entity_type,
    entities.name,
    coalesce(entities.country, companies.country) as country,
    entities.valid_from,
    entities.valid_to,
    companies.known_from,
    coalesce(list_transform(companies.classes, lambda class: { sector: class.sector, known_from: class.known_from }), []) as classes,
from published.entities
left join published.companies using (entity_id)
order by entities.entity_id
