-- stock_splits.csv of data/reference. effective_date is the first day of trading after the split; from then on `ratio`
-- shares equal one before. Ratio 1 means: this looks like a split but is none. Grain: cik, effective_date.
select
    cik,
    effective_date::date as effective_date,
    ratio::double as ratio,
    note,
from
    read_csv(
        getvariable('reference_root') || '/stock_splits.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
