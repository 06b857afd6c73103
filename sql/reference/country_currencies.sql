-- country_currencies.csv of data/reference: one row per iso2 and valid_from, null for the first known. valid_to is the last day, null while it lasts.
select
    iso2,
    currency,
    central_bank_entity_id,
    "from"::date as valid_from,
    "to"::date as valid_to,
    source,
from
    read_csv(
        getvariable('reference_root') || '/country_currencies.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
