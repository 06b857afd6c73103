-- holidays.csv of data/reference: one row per calendar and day from Monday to Friday that is not a business day.
select calendar, day::date as day,
from
    read_csv(
        getvariable('reference_root') || '/holidays.csv', all_varchar = true, header = true, delim = ',', quote = '"', escape = '"', nullstr = '',
        hive_partitioning = false
    )
