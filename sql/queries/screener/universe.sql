-- The entities that can be screened. known_from: when the first value of a series, or anything of a company, became known, null where there is
-- none; names: those that it has had through time; classes: a company's sectors since when each was known.
with

valued as (
    select entity_id, min(first_observed_at) as known_from
    from published.series
    group by all
)

select
    entities.entity_id,
    entities.entity_type,
    entities.name,
    coalesce(entities.country, companies.country) as country,
    entities.valid_from,
    entities.valid_to,
    least(companies.known_from, valued.known_from) as known_from,
    entities.names,
    coalesce(list_transform(companies.classes, lambda class: { sector: class.sector, known_from: class.known_from }), []) as classes,
from published.entities
left join published.companies using (entity_id)
left join valued using (entity_id)
order by entities.entity_id
