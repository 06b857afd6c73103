-- The newest period with a value of each of the given series that the filters leave, with the period before it unless that is older than what may be
-- seen (history_from). Grain: series.
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
    release_no,
    id_hash,
    source_run_id,
    derived_from,
    previous,
    revised_previous,
from newest_periods(
    series_from := $series_from::integer,
    series_to := $series_to::integer,
    series_nos := $series_nos::integer[],
    as_of := $as_of::timestamptz,
    observed_from := $observed_from::timestamptz,
    observed_to := $observed_to::timestamptz,
    period_from := $period_from::date,
    period_to := $period_to::date,
    release_number := $release_number::integer,
    backfill := $backfill::boolean,
    chosen_vintage := $vintage::varchar,
    history_from := $history_from::date
)
