-- Loads a Parquet file of published.vintages into its table. Days are read as the file's numbers, because ClickHouse's
-- dates begin in 1900.
insert into {table:Identifier}
select
    series_no,
    period,
    period_end,
    value,
    vintage,
    toUnixTimestamp64Micro(observed_at),
    toUnixTimestamp64Micro(known_to),
    toUnixTimestamp64Micro(prior_observed_at),
    prior_value,
    prior_vintage,
    release_no,
    is_revised,
    is_backfill,
    obs_status,
    toUnixTimestamp64Micro(released_at),
    toUnixTimestamp64Micro(retrieved_at),
    toUnixTimestamp64Micro(ingested_at),
    source_run_id,
    change_sequence,
    id_hash,
    derived_from
from input(
    'series_no Nullable(UInt32),
    period Nullable(String),
    period_end Nullable(Int32),
    value Nullable(Float64),
    vintage Nullable(String),
    observed_at Nullable(DateTime64(6, \'UTC\')),
    known_to Nullable(DateTime64(6, \'UTC\')),
    prior_observed_at Nullable(DateTime64(6, \'UTC\')),
    prior_value Nullable(Float64),
    prior_vintage Nullable(String),
    release_no Nullable(UInt32),
    is_revised Nullable(Bool),
    is_backfill Nullable(Bool),
    obs_status Nullable(String),
    released_at Nullable(DateTime64(6, \'UTC\')),
    retrieved_at Nullable(DateTime64(6, \'UTC\')),
    ingested_at Nullable(DateTime64(6, \'UTC\')),
    source_run_id Nullable(String),
    change_sequence Nullable(UInt64),
    id_hash Nullable(UInt64),
    derived_from Array(String)'
)
format Parquet
