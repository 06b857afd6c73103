-- releases.csv of data/reference: the releases of the calendar, one row per release_id. codes: its names at sources of
-- schedules, the documents that announce it, and series of real-time archives whose first prints have its days.
-- canonical_ids: its main indicators, the most important first; empty if we keep none.
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
