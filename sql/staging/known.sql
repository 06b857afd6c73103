-- What the lake already holds of the staged series, in their numbers. Grain: series, period_end, observed_at.
with

touched as (
    select distinct series_ix, indicator_id, resolved_frequency
    from staged.series
    where indicator_id is not null
),

files as (
    select payload_id, any_value(key) as key from staged.lake_ingestions
    group by all
)

select
    touched.series_ix,
    observations.period_end,
    observations.observed_at,
    observations.vintage,
    observations.value,
    observations.retrieved_at,
    files.key,
from staged.lake_observations as observations
inner join touched
    on touched.indicator_id = observations.indicator_id
    and touched.resolved_frequency = observations.frequency
left join files on files.payload_id = observations.payload_id
