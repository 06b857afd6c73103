-- Numbers of change that whole files of the lake have, with the moment at which their rows came in, as far as it is told; of records, whose
-- payload may have been read again later, at the earliest.
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
