-- The public address of each run's file. Grain: run_id.
select run_id, address
from published.runs
