-- The vintages of the given series that match the filters. Grain: vintage. Only the columns that differ between rows:
-- the catalogue adds the facts of a series.
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
from asked_vintages(
    series_from := $series_from::integer,
    series_to := $series_to::integer,
    series_nos := $series_nos::integer[],
    as_of := $as_of::timestamptz,
    observed_from := $observed_from::timestamptz,
    observed_to := $observed_to::timestamptz,
    period_from := $period_from::date,
    period_to := $period_to::date,
    release_number := $release_number::integer,
    numeric_only := $numeric_only::boolean,
    backfill := $backfill::boolean,
    chosen_vintage := $vintage::varchar
)
