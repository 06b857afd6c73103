-- One row per ingestion run: a payload as read by one connector version. Of several attempts the successful one, else
-- the newest.
select distinct on (run_id) *
from lake.ingestions
order by run_id, status = 'ok' desc, started_at desc
