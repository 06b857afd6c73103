-- Change numbers in intact files of the lake, with the time at which their rows entered, if known. For records, whose
-- payload may have been read again later, it is the earliest possible time.
with

first_read as (
    select payload_id, min(finished_at) as read_at from whole_ingestions
    group by payload_id
)

select change_sequence, ingested_at as read_at from whole_observations
union all
select records.change_sequence, first_read.read_at
from (
    select distinct payload_id, change_sequence from whole_records
    where change_sequence is not null
) as records
left join first_read using (payload_id)
