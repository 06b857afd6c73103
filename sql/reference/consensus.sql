-- consensus.csv of data/reference: the survey of forecasters that asks for the quantity of an indicator, one row per
-- print and horizon. periods_ahead: the number of the print's periods between the one of the survey round and the one
-- that it asks for, -1 for the period before the round.
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
