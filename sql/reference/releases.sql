-- releases.csv of data/reference: what is published on a day of the calendar, one row per release_id. codes: what sources of schedules call it, the
-- documents that make it known, and series of real-time archives whose first prints are of its days; canonical_ids: its main indicators, the foremost
-- first, empty where none is kept here.
select
    release_id,
    name,
    entity_id,
    category,
    importance,
    timezone,
    coalesce(string_split(canonical_ids, ';'), []) as canonical_ids,
    list_transform(string_split(codes, ';'), lambda code: { source_id: split_part(code, '=', 1), code: substr(code, position('=' in code) + 1) })
        as codes,
from
    read_csv(
        getvariable('reference_root') || '/releases.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
