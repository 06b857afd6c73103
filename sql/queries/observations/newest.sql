-- The newest period with a value of each given series, as published. Grain: series.
select
    series_no,
    period,
    period_end,
    value,
    vintage,
    observed_at,
    null::timestamptz as known_to,
    released_at,
    retrieved_at,
    is_revised,
    is_backfill,
    obs_status,
    release_no,
    source_run_id,
    derived_from,
    id_hash,
    if($history_from::date is null or previous_period_end >= $history_from::date, previous, null) as previous,
    if($history_from::date is null or previous_period_end >= $history_from::date, revised_previous, null) as revised_previous,
from published.latest
where
    series_no between $series_from::integer and $series_to::integer
    and ($series_nos::integer[] is null or series_no in (select unnest($series_nos::integer[])))
    and ($period_from::date is null or period_end >= $period_from::date)
