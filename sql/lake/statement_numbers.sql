-- Every row of the lake's table of that name; columns as in src/lake/layout.ts.
select * exclude (source_id), source_id::varchar as source_id
from read_parquet(
    getvariable('lake_root') || '/statement_numbers/*/*.parquet',
    union_by_name = true,
    hive_partitioning = true,
    hive_types_autocast = false
)
