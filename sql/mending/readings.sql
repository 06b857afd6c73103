-- The time at which each archived payload was first read into the lake. No row for a payload that nobody has read. If
-- the runs of the source are intact, they give it. Otherwise the first run after the payload's arrival counts, unless
-- its rows entered earlier. Grain: payload_id.
with

recorded as (
    select payload_id, coalesce(min(finished_at) filter (where status = 'ok'), min(finished_at)) as read_at
    from whole_ingestions
    group by payload_id
),

attempts as (
    select started_at, finished_at from whole_attempts
    where payloads_new > 0
),

tried as (
    select archived.payload_id, attempts.finished_at as read_at
    from archived
    asof inner join attempts
        on archived.retrieved_at <= attempts.started_at
),

wrote as (
    select payload_id, min(ingested_at) as read_at from whole_observations
    group by payload_id
    union all
    select payload_id, min(detected_at) from whole_quarantine
    group by payload_id
),

known as (
    select payload_id, read_at from recorded
    union all
    select payload_id, read_at from tried
    where getvariable('are_runs_lost')::boolean
    union all
    select payload_id, read_at from wrote
    where getvariable('are_runs_lost')::boolean
)

select archived.payload_id, min(known.read_at) as read_at
from archived
inner join known using (payload_id)
group by archived.payload_id
