-- Loads a Parquet file of published.series into its table.
insert into {table:Identifier}
select
    series_no,
    indicator_id,
    frequency
from input(
    'series_no Nullable(UInt32),
    indicator_id Nullable(String),
    frequency Nullable(String)'
)
format Parquet
