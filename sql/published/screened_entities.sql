-- The entities that can be screened, each with when it was known; a company once for each interval [class_from, class_to) in which its class was the same. Countries and
-- the like stand in the reference data (known_from null), a company says itself since when it is known, of others some period had ended by then; infinity: never.
with

periods as (select entity_id, min(first_period_end) as first_period_end from published.series group by all),

classes as (
    select entity_id, null::varchar as sector, null::timestamptz as class_from, classes[1].known_from as class_to
    from published.companies
    union all
    select entity_id, class.sector, class.known_from, lead(class.known_from) over (partition by entity_id order by place)
    from (select entity_id, unnest(classes) as class, generate_subscripts(classes, 1) as place from published.companies)
)

select
    entities.entity_id,
    entities.entity_type,
    entities.name,
    coalesce(entities.country, companies.country) as country,
    classes.sector,
    classes.class_from,
    classes.class_to,
    entities.valid_from,
    entities.valid_to,
    case
        when entities.entity_type in ('country', 'currency_area', 'region', 'currency', 'central_bank') then null
        when companies.known_from is not null then companies.known_from
        else coalesce(periods.first_period_end::timestamp at time zone 'UTC', 'infinity')
    end as known_from,
from published.entities
left join published.companies using (entity_id)
left join classes using (entity_id)
left join periods using (entity_id)
order by entities.entity_id, classes.class_from nulls first
