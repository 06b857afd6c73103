-- Staged records that differ from the previous one of their subject, in the lake (`lake_records`) or staged.
select record_hash, row_no
from (
    select subject_columns, observed_at, retrieved_at, record_hash, null as row_no
    from lake_records
    union all
    select subject_columns, observed_at::timestamptz, retrieved_at, record_hash, row_no
    from staged_records
    inner join hashed using (row_no, payload_no)
    inner join staged.payloads using (payload_no)
)
qualify
    row_no is not null
    and record_hash is distinct from lag(record_hash) over (
        partition by subject_columns order by observed_at, retrieved_at, row_no nulls first
    )
