-- Readings of payloads by runs of which no whole file tells.
select rebuilt.*
from rebuilt
anti join held using (payload_id, connector_version, finished_at)
