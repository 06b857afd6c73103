-- entities.csv of data/reference: one row per entity_id, without countries and entities from payloads.
select
    entity_id,
    entity_type,
    slug,
    name,
    short_name,
    country,
    currency,
    parent_entity_id,
    identifiers,
    status,
    successor_entity_id,
    valid_from::date as valid_from,
    valid_to::date as valid_to,
from
    read_csv(
        getvariable('reference_root') || '/entities.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
