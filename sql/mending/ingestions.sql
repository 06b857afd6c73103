-- Payloads as they are read now, of which no whole file says that this version of their source read them.
select
    rebuilt.* replace (
        coalesce(known.ingested_at, rebuilt.started_at) as started_at,
        coalesce(known.ingested_at, rebuilt.finished_at) as finished_at
    )
from rebuilt
anti join held using (payload_id, connector_version)
left join
    (
        select payload_id, min(ingested_at) as ingested_at from whole_observations
        group by payload_id
    ) as known
    on rebuilt.payload_id = known.payload_id
