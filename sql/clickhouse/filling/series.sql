-- A Parquet file of published.series into its table.
insert into {table:Identifier}
select
    series_no,
    indicator_id
from input(
    'series_no Nullable(UInt32),
    indicator_id Nullable(String)'
)
format Parquet
