-- cessations.csv of data/reference: one row per ceased (source_id, series_code): the day from whose end it is known that nothing follows.
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
