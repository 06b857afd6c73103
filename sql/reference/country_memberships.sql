-- country_memberships.csv of data/reference: one row per group, iso2 and valid_from. valid_to is the last day, or null
-- while the membership lasts.
select
    "group",
    iso2,
    "from"::date as valid_from,
    "to"::date as valid_to,
    source,
from
    read_csv(
        getvariable('reference_root') || '/country_memberships.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
