-- The time at which a run's rows entered the lake, and the last change number of that time. It is the position of
-- records that a release brought without their own change number. One row per run_id.
with

ingested as (
    select run_id, min(finished_at) as ingested_at
    from lake.ingestions
    where status = 'ok'
    group by all
)

select
    ingested.run_id,
    ingested.ingested_at,
    coalesce(sequence.change_sequence, 0) as change_sequence,
from ingested
asof left join (
    select ingested_at, max(change_sequence) as change_sequence from lake.observations
    group by all
) as sequence
    on sequence.ingested_at <= ingested.ingested_at
