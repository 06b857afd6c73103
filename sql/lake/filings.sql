-- Every row of the lake's table of that name; columns as in src/lake/layout.ts. The folder above a file names its source.
select * exclude (filename), regexp_extract(filename, '/source_id=([^/]*)/[^/]*$', 1) as source_id
from
    read_parquet(getvariable('lake_root') || '/filings/*/*.parquet', union_by_name = true, hive_partitioning = false, filename = true)
