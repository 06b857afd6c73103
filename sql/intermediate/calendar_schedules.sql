-- The schedule of each entry as it was known: one row per entry_id and moment at which something was said of it, in force in [observed_at, known_to).
-- Of several sources the one that states the hour counts, then the one that states the day, then the latest. Released: a source says so, or the publisher's
-- schedule, retrieved after the hour had passed, still stood. A schedule moved to a later day is postponed until then.
with

members as (
    select
        entry_id,
        schedules.*,
        first_value(due_date) over (partition by schedules.source_id, schedules.schedule_id order by schedules.observed_at) as first_date,
    from intermediate.schedules
    inner join intermediate.calendar_entries using (source_id, schedule_id, release_id)
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
    group by all
),

released as (
    select entry_id, min(observed_at) as released_from
    from (
        select entry_id, observed_at from confirmed
        union all
        select entry_id, observed_at from members where status = 'released'
    )
    group by all
),

moments as (
    select entry_id, observed_at from members
    union
    select entry_id, observed_at from confirmed
),

in_force as (
    select
        moments.observed_at as moment,
        members.* exclude (observed_at, known_to),
        coalesce(released_from <= moments.observed_at, false) as is_released,
    from moments
    inner join members
        on members.entry_id = moments.entry_id
        and members.observed_at <= moments.observed_at
        and coalesce(members.known_to > moments.observed_at, true)
    left join released on released.entry_id = moments.entry_id
    qualify row_number() over (
        partition by moments.entry_id, moments.observed_at
        order by precision_rank, members.observed_at desc, members.source_id, schedule_id, record_hash
    ) = 1
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
    period,
    source_id,
    url,
    run_id,
from in_force
