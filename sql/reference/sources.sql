-- sources.csv of data/reference: one row per source_id.
select
    source_no::integer as source_no,
    source_id,
    name,
    provider,
    source_tier,
    homepage_url,
    address,
    license,
    license_url,
    is_redistributable::boolean as is_redistributable,
    rights_note,
    attribution,
    expected_interval_seconds::integer as expected_interval_seconds,
    usual_lag_days::integer as usual_lag_days,
    vintages_dated_to,
    knowledge_rule,
from
    read_csv(
        getvariable('reference_root') || '/sources.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
