-- consensus.csv of data/reference: which survey of forecasters asks for the quantity of an indicator, one row per print and horizon. periods_ahead:
-- how many periods of the print lie between the one in which the round falls and the one that it asks for.
select
    entity_id,
    canonical_id,
    survey_source_id,
    survey_canonical_id,
    periods_ahead::integer as periods_ahead,
from
    read_csv(
        getvariable('reference_root') || '/consensus.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
