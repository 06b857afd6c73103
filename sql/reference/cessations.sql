-- cessations.csv of data/reference: one row per ceased (source_id, series_code). At the end of known_on it was known
-- that no more data follows.
select
    source_id,
    series_code,
    known_on::date as known_on,
    evidence,
from
    read_csv(
        getvariable('reference_root') || '/cessations.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
