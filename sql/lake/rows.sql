-- Every row of a table of the lake; columns as in src/lake/layout.ts. The folder above a file names its source. `lake_files` is the pattern of
-- the table's files.
select * exclude (filename), regexp_extract(filename, '/source_id=([^/]*)/[^/]*$', 1) as source_id
from
    read_parquet(lake_files, union_by_name = true, hive_partitioning = false, filename = true)
