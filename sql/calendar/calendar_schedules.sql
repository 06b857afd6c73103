-- The schedule of each entry over time: one row per entry_id and statement about it; in force in [observed_at,
-- known_to). Of several sources, one with the hour counts, then one with the day, then the latest. Released: a source
-- says so, or the publisher's schedule, retrieved after the hour, still had it; the latter no longer counts if it is
-- cancelled or moved beyond that retrieval. A schedule moved to a later day is postponed until then. is_lapsed: it was
-- tentative, and its day passed everywhere without a sign from a source. It may have taken place, but it does not
-- count.
with

members as (
    select
        entry_id,
        schedules.*,
        first_value(due_date) over (partition by schedules.source_id, schedules.schedule_id order by schedules.observed_at) as first_date,
    from calendar.schedules
    inner join calendar.calendar_entries using (source_id, schedule_id, release_id)
),

confirmed as (
    select members.entry_id, min(runs.retrieved_at) as observed_at
    from members
    inner join lake.ingestions as runs
        on runs.source_id = members.source_id
        and runs.status = 'ok'
        and runs.retrieved_at >= greatest(members.due_at, members.observed_at)
        and coalesce(runs.retrieved_at < members.known_to, true)
    where members.time_precision = 'exact' and members.status = 'scheduled'
    group by members.entry_id, members.source_id, members.schedule_id, members.observed_at
),

signs as (
    select entry_id, observed_at, false as is_stated
    from confirmed
    union all
    select entry_id, observed_at, true as is_stated
    from members
    where status = 'released'
),

passed as (
    select entry_id, greatest((due_date + 2)::timestamp at time zone 'UTC', observed_at) as observed_at
    from members
    where time_precision = 'tentative' and status = 'scheduled'
),

moments as (
    select entry_id, observed_at from members
    union
    select entry_id, observed_at from confirmed
    union
    select entry_id, observed_at from passed
    where observed_at <= knowledge_cutoff()
),

in_force as (
    select
        moments.observed_at as moment,
        members.* exclude (observed_at, known_to),
    from moments
    inner join members
        on members.entry_id = moments.entry_id
        and members.observed_at <= moments.observed_at
        and coalesce(members.known_to > moments.observed_at, true)
    qualify row_number() over (
        partition by moments.entry_id, moments.observed_at
        order by precision_rank, members.observed_at desc, members.source_id, schedule_id, record_hash
    ) = 1
),

judged as (
    select
        *,
        status = 'released' or exists (
            from signs
            where
                signs.entry_id = in_force.entry_id
                and signs.observed_at between in_force.due_at and in_force.moment
                and (signs.is_stated or in_force.status = 'scheduled')
        ) as is_released,
    from in_force
)

select
    entry_id,
    moment as observed_at,
    lead(moment) over (partition by entry_id order by moment) as known_to,
    release_id,
    scheduled_at,
    due_at,
    due_date,
    time_precision,
    timezone,
    is_released,
    case
        when is_released then 'released'
        when status = 'scheduled' and due_date > first_date then 'postponed'
        else status
    end as status,
    not is_released and status = 'scheduled' and time_precision = 'tentative' and moment >= (due_date + 2)::timestamp at time zone 'UTC' as is_lapsed,
    period,
    source_id,
    url,
    run_id,
from judged
