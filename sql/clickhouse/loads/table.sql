-- Which snapshots a cluster holds, and in which tables: a row when one was filled and checked, a second when its tables are given up. Rows are only added.
create table if not exists asof_loads (
    load_id String,
    snapshot_id String,
    tables_version UInt32,
    written_at DateTime64(3, 'UTC'),
    is_dropped Bool
)
engine = MergeTree
order by (load_id, written_at)
