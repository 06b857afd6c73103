-- The newest period with a value of each given series that matches the filters, with the previous period unless that is
-- older than the visible ones (history_from). Grain: series.
select
    series_no,
    period,
    period_end,
    value,
    vintage,
    observed_at,
    known_to,
    released_at,
    retrieved_at,
    is_revised,
    is_backfill,
    obs_status,
    release_no,
    id_hash,
    source_run_id,
    derived_from,
    previous,
    revised_previous,
from newest_periods(read_filters, history_from := $history_from::date)
