-- The current loads with this version of the tables, oldest first.
select
    load_id,
    any(snapshot_id) as snapshot_id
from asof_loads
where tables_version = {tables_version:UInt32}
group by load_id
having not max(is_dropped)
order by min(written_at), load_id
