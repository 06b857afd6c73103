-- Findings that the archive gives and the whole files of their source do not hold.
select rebuilt.* replace (coalesce(ingested.ingested_at, rebuilt.detected_at) as detected_at)
from rebuilt
anti join held using (quarantine_id)
left join
    (
        select payload_id, min(finished_at) as ingested_at from whole_ingestions
        group by payload_id
    ) as ingested
    on rebuilt.payload_id = ingested.payload_id
