-- derived_indicators.csv of data/reference: one row per derived indicator. dataset_no: number of its dataset among the
-- published vintages, from 1024 on, never reused. input: the canonical id of the level, the report of positions, the
-- kind of document, or the two parts of a multiple (`over;under`). months: for transforms. exponent: for growth.
select
    slug,
    dataset_no::integer as dataset_no,
    family,
    method,
    input,
    frequency,
    months::integer as months,
    exponent::integer as exponent,
    unit,
from
    read_csv(
        getvariable('reference_root') || '/derived_indicators.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '', hive_partitioning = false
    )
