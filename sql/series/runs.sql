-- One row per ingestion run: a payload as one connector version read it; of several attempts the one that succeeded, else the newest.
select distinct on (run_id) *
from lake.ingestions
order by run_id, status = 'ok' desc, started_at desc
