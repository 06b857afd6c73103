-- The entities that can be screened, as far as they existed and were known at the cutoff. known_from: when the first value, or anything of a company, became known.
with

classes as (
    select entity_id, list_filter(classes, lambda class: $as_of::timestamptz is null or class.known_from <= $as_of::timestamptz)[-1] as class
    from published.companies
),

-- Countries and the like are where reference data put them; a company is where its description of then puts it.
places as (
    select
        entities.entity_id,
        if(
            entities.entity_type = 'company' and $as_of::timestamptz is not null,
            list_filter(companies.descriptions, lambda one: one.known_from <= $as_of::timestamptz)[-1].country,
            coalesce(entities.country, companies.country)
        ) as country,
    from published.entities
    left join published.companies using (entity_id)
)

select
    entities.entity_id,
    entities.entity_type,
    -- The newest name known by then, else the oldest one.
    coalesce(
        if(
            $as_of::timestamptz is null,
            entities.name,
            (
                select arg_max(dated.name, coalesce(dated.known_from, '-infinity'))
                from (select unnest(entities.names) as dated)
                where dated.known_from is null or dated.known_from <= $as_of::timestamptz
            )
        ),
        entities.names[1].name,
        entities.name
    ) as name,
    places.country,
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
inner join places using (entity_id)
left join published.companies using (entity_id)
left join classes using (entity_id)
where
    ($entity_types::varchar[] is null or entities.entity_type in (select unnest($entity_types::varchar[])))
    and ($country::varchar is null or places.country = $country::varchar)
    and ($sector::varchar is null or lower(class.sector) = lower($sector::varchar))
    and (entities.valid_from is null or entities.valid_from <= $on_date::date)
    and (entities.valid_to is null or entities.valid_to >= $on_date::date)
order by entities.entity_id
