-- The entities of the given series, each with the extent of these series. Without a cutoff that is the current one;
-- with one, it comes from the lists beside series_nos, in which an empty day means none. Grain: entity_id.
with

reached as (
    select
        unnest($series_nos::integer[]) as series_no,
        unnest($first_period_ends::varchar[]) as first_period_end,
        unnest($latest_period_ends::varchar[]) as latest_period_end,
        unnest($observation_counts::bigint[]) as observation_count,
),

known as (
    select
        series.* replace (
            if($latest_period_ends::varchar[] is null, series.first_period_end, nullif(reached.first_period_end, '')::date) as first_period_end,
            if($latest_period_ends::varchar[] is null, series.latest_period_end, nullif(reached.latest_period_end, '')::date) as latest_period_end,
            if($latest_period_ends::varchar[] is null, series.observation_count, reached.observation_count) as observation_count
        ),
    from published.series
    inner join reached using (series_no)
)

select
    known.entity_id,
    any_value(coalesce(entities.name, known.entity_name)) as name,
    any_value(known.entity_type) as entity_type,
    any_value(if(known.entity_type = 'company', entities.country, known.country)) as country,
    list(distinct indicator_id order by indicator_id) as indicator_ids,
    list(distinct source_id order by source_id) as source_ids,
    min(first_period_end) as first_period_end,
    max(known.latest_period_end) as latest_period_end,
    sum(known.observation_count)::bigint as observation_count,
from known
left join
    entities_as_of(as_of := $as_of::timestamptz, on_day := coalesce($as_of::timestamptz at time zone 'UTC', 'infinity'::timestamp)::date) as entities
    on entities.entity_id = known.entity_id
group by known.entity_id
