-- publication_rules.csv of data/reference: the publication time of series that are never revised, by source_id,
-- canonical_id and entity_id. A row without an entity applies to all entities without their own row. step (same_day,
-- next_business_day, next_week): the day, counted from the last day of the period; for a week, the first business day
-- of the next one. hour: of that day. timezone: null for that of the entity's country.
select
    source_id,
    canonical_id,
    entity_id,
    step,
    if(hour = 'end_of_day', '23:59:59.999', hour)::interval as hour,
    timezone,
    holidays,
    reason,
from
    read_csv(
        getvariable('reference_root') || '/publication_rules.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
