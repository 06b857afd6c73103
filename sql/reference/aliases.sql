-- aliases.csv of data/reference: one row per (entity_id, alias, alias_type, valid_from).
select
    entity_id,
    alias,
    alias_type,
    scheme,
    is_primary::boolean as is_primary,
    valid_from::date as valid_from,
    valid_to::date as valid_to,
from
    read_csv(
        getvariable('reference_root') || '/aliases.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
