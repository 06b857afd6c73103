-- The loads that are held, the oldest first, of this form of the tables.
select
    load_id,
    any(snapshot_id) as snapshot_id
from asof_loads
where tables_version = {tables_version:UInt32}
group by load_id
having not max(is_dropped)
order by min(written_at), load_id
