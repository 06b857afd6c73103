-- share_classes.csv of data/reference: how a ticker's quoted units relate to the shares that its filer counts. From
-- valid_from on, `units` quoted units equal `shares` counted shares. is_main: the class whose price the filer's
-- multiples use. Grain: cik, ticker, valid_from.
select
    cik,
    ticker,
    valid_from::date as valid_from,
    kind,
    units::double as units,
    shares::double as shares,
    is_main::boolean as is_main,
    document,
    note,
from
    read_csv(
        getvariable('reference_root') || '/share_classes.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
