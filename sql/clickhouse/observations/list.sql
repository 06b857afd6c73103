-- The twin of sql/queries/observations/list.sql: the vintages of the given series that match the filters. Grain:
-- vintage.
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
    derived_from
from asked_vintages
where not {numeric_only:Bool} or value is not null
