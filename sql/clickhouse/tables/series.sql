-- What a cluster knows of a series, of one snapshot: the order by indicator, and the frequency that says which period is the one before.
create table {table:Identifier} (
    series_no UInt32,
    indicator_id String,
    frequency LowCardinality(String)
)
engine = MergeTree
order by series_no
