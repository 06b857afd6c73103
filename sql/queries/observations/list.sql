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
from asked_vintages(read_filters, numeric_only := $numeric_only::boolean)
