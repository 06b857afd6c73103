-- Readings of payloads by runs that no intact file records.
select rebuilt.*
from rebuilt
anti join held using (payload_id, connector_version, finished_at)
