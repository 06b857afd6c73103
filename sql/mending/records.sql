-- Records of a table that the archive gives and the whole files of their source do not hold. They take the number of change of what else came in with
-- them, otherwise, in their order, the numbers that no whole file has; none where there is no such number, as before records were numbered.
with

missing as (
    select rebuilt.*
    from rebuilt
    anti join held
        on
        rebuilt.record_hash = held.record_hash
        and rebuilt.payload_id = held.payload_id
        and rebuilt.retrieved_at = held.retrieved_at
),

ingested as (
    select payload_id, min(finished_at) as ingested_at
    from whole_ingestions
    where status = 'ok'
    group by payload_id
),

numbered as (
    select ingested.ingested_at, min(whole_records.change_sequence) as change_sequence
    from whole_records
    inner join ingested using (payload_id)
    group by ingested.ingested_at
),

unnumbered as (
    select ingested_at, row_number() over (order by ingested_at) as place
    from (
        select distinct ingested.ingested_at from missing
        inner join ingested using (payload_id)
    )
    anti join numbered using (ingested_at)
),

numbers as (
    select ingested_at, change_sequence from numbered
    union all
    select unnumbered.ingested_at, free_numbers.number
    from unnumbered
    inner join free_numbers using (place)
)

select missing.* replace (numbers.change_sequence as change_sequence)
from missing
left join ingested using (payload_id)
left join numbers using (ingested_at)
