-- A cluster's facts of the series of one snapshot: the order by indicator, and the frequency, which determines the
-- previous period.
create table {table:Identifier} (
    series_no UInt32,
    indicator_id String,
    frequency LowCardinality(String)
)
engine = MergeTree
order by series_no
