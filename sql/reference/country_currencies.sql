-- country_currencies.csv of data/reference: one row per iso2 and valid_from, which is null for the first known
-- currency. valid_to is the last day, or null while it lasts.
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
