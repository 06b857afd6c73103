-- series.csv of data/reference: one row per (source_id, series_code).
select
    source_id,
    series_code,
    canonical_id,
    entity_id,
    frequency,
    unit,
    provider,
    source_tier,
    currency,
    is_redistributable::boolean as is_redistributable,
    license,
    rights_note,
    status,
    ceased_final_period,
    successor_canonical_id,
    note,
from
    read_csv(
        getvariable('reference_root') || '/series.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
