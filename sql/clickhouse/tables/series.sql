-- What a cluster knows of a series, of one snapshot: the order by indicator.
create table {table:Identifier} (
    series_no UInt32,
    indicator_id String
)
engine = MergeTree
order by series_no
