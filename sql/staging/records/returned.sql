-- Staged records that the same file contradicted after the lake had them: an earlier content of the file has them, and
-- its newest content on the subject has not. `file_key`: the file of `payloads`.
with

files as (
    select payload_id, any_value(file_key) as key
    from staged.lake_ingestions as payloads
    group by payload_id
),

rewritten as (
    select key
    from (
        select payload_id, key
        from files
        union
        select payload_id, file_key as key
        from staged.payloads
    )
    group by key
    having count(*) > 1
),

said as (
    select stated_subject, file_key as key, payloads.retrieved_at, hashed.record_hash, hashed.row_no
    from staged_records as records
    inner join hashed using (row_no, payload_no)
    inner join staged.payloads using (payload_no)
    semi join rewritten on rewritten.key = file_key
),

held as (
    select subject_columns, files.key, known.retrieved_at, known.record_hash, null as row_no
    from lake_records as known
    inner join files using (payload_id)
    semi join (select distinct key from said) as keys on keys.key = files.key
),

statements as (
    select
        *,
        count(*) filter (where row_no is null) over (partition by subject_columns, key, record_hash, retrieved_at) as held_rows,
        max(retrieved_at) over (
            partition by subject_columns, key
            order by retrieved_at groups between unbounded preceding and 1 preceding
        ) as before_at,
        max(retrieved_at) over (
            partition by subject_columns, key, record_hash
            order by retrieved_at groups between unbounded preceding and 1 preceding
        ) as same_before_at,
    from (
        select * from held
        union all
        select * from said
    )
)

select record_hash, row_no
from statements
where row_no is not null and held_rows = 0 and before_at is not null and same_before_at is distinct from before_at
qualify row_number() over (partition by subject_columns, key, record_hash, retrieved_at order by row_no) = 1
