-- The vintages of the given derived series that match the filters: the newest known of each period, its first, or all.
-- Grain: vintage.
select
    series_no,
    period,
    period_start,
    period_end,
    value,
    value_text,
    metadata,
    vintage,
    observed_at,
    known_to,
    released_at,
    ingested_at,
    release_no,
    is_backfill,
    id_hash,
    source_run_id,
    inputs,
    input_run_ids,
    derived_from,
from asked_vintages(read_filters)
where inputs is not null
