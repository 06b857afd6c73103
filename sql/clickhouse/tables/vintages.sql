-- A cluster's table for published.vintages of one snapshot, with the columns for lists, newest periods and changes.
create table {table:Identifier} (
    series_no UInt32,
    period String,
    period_end Int32,
    value Nullable(Float64),
    vintage String,
    observed_at Int64,
    known_to Nullable(Int64),
    prior_observed_at Nullable(Int64),
    prior_value Nullable(Float64),
    prior_vintage Nullable(String),
    release_no UInt32,
    is_revised Bool,
    is_backfill Bool,
    obs_status LowCardinality(Nullable(String)),
    released_at Nullable(Int64),
    retrieved_at Int64,
    ingested_at Int64,
    source_run_id LowCardinality(Nullable(String)),
    change_sequence UInt64,
    id_hash UInt64,
    derived_from Array(String)
)
engine = MergeTree
order by (series_no, period_end, observed_at)
