-- The entities that can be screened, as far as they existed and were known at the cutoff. known_from: when the first value, or anything of a company, became known.
with

classes as (
    select entity_id, list_filter(classes, lambda class: $as_of::timestamptz is null or class.known_from <= $as_of::timestamptz)[-1] as class
    from published.companies
)

select
    entities.entity_id,
    entities.entity_type,
    entities.name,
    coalesce(entities.country, companies.country) as country,
    class.sector,
    least(
        companies.known_from,
        (
            select min(vintages.observed_at)
            from published.vintages
            inner join published.series using (series_no)
            where series.entity_id = entities.entity_id and vintages.value is not null
        )
    ) as known_from,
from published.entities
left join published.companies using (entity_id)
left join classes using (entity_id)
where
    ($entity_types::varchar[] is null or entities.entity_type in (select unnest($entity_types::varchar[])))
    and ($country::varchar is null or coalesce(entities.country, companies.country) = $country::varchar)
    and ($sector::varchar is null or lower(class.sector) = lower($sector::varchar))
    and (entities.valid_from is null or entities.valid_from <= $on_date::date)
    and (entities.valid_to is null or entities.valid_to >= $on_date::date)
order by entities.entity_id
