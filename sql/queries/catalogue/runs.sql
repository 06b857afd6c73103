-- From which public address the file of a run came. Grain: run_id.
select run_id, address
from published.runs
