-- The loads of a cluster: a row when a snapshot's tables are filled and checked, and a second row when they are
-- dropped. Rows are only added.
create table if not exists asof_loads (
    load_id String,
    snapshot_id String,
    tables_version UInt32,
    written_at DateTime64(3, 'UTC'),
    is_dropped Bool
)
engine = MergeTree
order by (load_id, written_at)
