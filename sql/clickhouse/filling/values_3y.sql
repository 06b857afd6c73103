-- Loads a Parquet file of published.values_3y into its table.
insert into {table:Identifier}
select
    epoch,
    indicator_no,
    series_no,
    period_end,
    value,
    toUnixTimestamp64Micro(known_from),
    toUnixTimestamp64Micro(known_to)
from input(
    'epoch Nullable(UInt16),
    indicator_no Nullable(UInt32),
    series_no Nullable(UInt32),
    period_end Nullable(Int32),
    value Nullable(Float64),
    known_from Nullable(DateTime64(6, \'UTC\')),
    known_to Nullable(DateTime64(6, \'UTC\'))'
)
format Parquet
