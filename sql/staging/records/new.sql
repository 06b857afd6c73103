-- The new ones among the staged records of a table (`staged_records`), as rows of the lake. `fresh_records`: their hashes
-- and rows, by another file of this folder.
with

hashed as (
    select
        row_no,
        payload_no,
        md5(to_json(struct_pack(content_columns))) as record_hash,
    from staged_records
    anti join staged.refused_records using (row_no)
),

fresh as (select * from fresh_records)

select
    typed_columns,
    payloads.payload_id,
    payloads.run_id,
    payloads.retrieved_at,
    fresh.record_hash,
    getvariable('record_sequence')::bigint as change_sequence,
from staged_records
inner join fresh using (row_no)
inner join staged.payloads using (payload_no)
order by first_columns, record_hash
