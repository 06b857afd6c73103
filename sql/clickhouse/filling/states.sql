-- Loads a Parquet file of published.states into its table.
insert into {table:Identifier}
select
    epoch,
    indicator_no,
    series_no,
    toUnixTimestamp64Micro(known_from),
    toUnixTimestamp64Micro(known_to),
    period,
    period_end,
    value,
    vintage,
    toUnixTimestamp64Micro(observed_at),
    toUnixTimestamp64Micro(retrieved_at)
from input(
    'epoch Nullable(UInt16),
    indicator_no Nullable(UInt32),
    series_no Nullable(UInt32),
    known_from Nullable(DateTime64(6, \'UTC\')),
    known_to Nullable(DateTime64(6, \'UTC\')),
    period Nullable(String),
    period_end Nullable(Int32),
    value Nullable(Float64),
    vintage Nullable(String),
    observed_at Nullable(DateTime64(6, \'UTC\')),
    retrieved_at Nullable(DateTime64(6, \'UTC\'))'
)
format Parquet
