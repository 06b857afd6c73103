-- stock_splits.csv of data/reference: from effective_date on, the first day of trading after it, `ratio` shares stand for one before; 1: what looks
-- like a split of that day is none. Grain: cik, effective_date.
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
