-- sic_divisions.csv of data/reference: one row per range of four-digit codes of the Standard Industrial Classification
-- of 1987, with its division. EDGAR's own codes are sorted in (8888: foreign governments). Its 9995 and unclassifiable
-- codes have no division.
select
    first_sic,
    last_sic,
    division,
    name,
from
    read_csv(
        getvariable('reference_root') || '/sic_divisions.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
