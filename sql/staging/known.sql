-- What the lake already holds of the staged series, in their numbers. Grain: series, period_end, observed_at.
with

touched as (
    select distinct series_ix, indicator_id, resolved_frequency
    from staged.series
    where indicator_id is not null
)

select
    touched.series_ix,
    observations.period_end,
    observations.observed_at,
    observations.vintage,
    observations.value,
from staged.lake_observations as observations
inner join touched
    on touched.indicator_id = observations.indicator_id
    and touched.resolved_frequency = observations.frequency
