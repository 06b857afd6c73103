-- The newest period in force with a value, per series, with the previous period.
select
    series_no,
    period,
    period_end,
    value,
    vintage,
    observed_at,
    released_at,
    retrieved_at,
    is_revised,
    is_backfill,
    obs_status,
    release_no,
    run_id,
    source_run_id,
    id_hash,
    derived_from,
    previous,
    revised_previous,
    previous_period_end,
from newest_periods()
order by series_no
