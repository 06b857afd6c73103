-- The memory and spilled bytes of the snapshot's engine. One row.
select
    coalesce(sum(memory_usage_bytes), 0)::bigint as memory_bytes,
    coalesce(sum(temporary_storage_bytes), 0)::bigint as spilled_bytes,
from duckdb_memory()
