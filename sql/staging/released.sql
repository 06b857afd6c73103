-- The series of payloads whose finding an operator released.
select distinct payload_id, indicator_id
from staged.lake_resolutions
where status = 'released'
