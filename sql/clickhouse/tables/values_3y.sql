-- A cluster's table for published.values_3y of one snapshot.
create table {table:Identifier} (
    epoch UInt16,
    indicator_no UInt32,
    series_no UInt32,
    period_end Int32,
    value Float64,
    known_from Int64,
    known_to Nullable(Int64)
)
engine = MergeTree
order by (epoch, indicator_no, series_no, known_from)
