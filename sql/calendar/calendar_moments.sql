-- Each moment at which a calendar entry may have changed for one of its indicators: a statement about it or its
-- neighbours, a number that became known around the day, or a survey's expectation. One row per (entry_id,
-- canonical_id, moment) with the schedule in force. canonical_id is null for a release without kept numbers.
-- next_due_at: the due time of the following release, as known then.
with

entries as (
    select distinct on (schedules.entry_id, canonical_id)
        schedules.entry_id,
        schedules.release_id,
        schedules.observed_at as known_from,
        unnest(if(len(releases.canonical_ids) = 0, [null], releases.canonical_ids)) as canonical_id,
    from calendar.calendar_schedules as schedules
    inner join reference.releases using (release_id)
    order by schedules.entry_id, canonical_id, schedules.observed_at
),

moments as (
    select entries.entry_id, canonical_id, about.observed_at as moment
    from entries
    inner join calendar.calendar_schedules as own using (entry_id)
    inner join calendar.calendar_schedules as about
        on about.release_id = own.release_id
        and about.due_at between own.due_at - interval 100 day and own.due_at + interval 100 day
        and about.observed_at >= entries.known_from
    where about.entry_id = own.entry_id or canonical_id is not null
    union
    select entry_id, entries.canonical_id, prints.observed_at
    from entries
    inner join calendar.calendar_schedules as own using (entry_id)
    inner join calendar.release_prints as prints
        on prints.release_id = entries.release_id
        and prints.canonical_id = entries.canonical_id
        and prints.observed_at between own.due_at - interval 100 day and own.due_at + interval 45 day
        and prints.observed_at >= entries.known_from
    union
    select entry_id, entries.canonical_id, rounds.observed_at
    from entries
    inner join calendar.calendar_schedules as own using (entry_id)
    inner join reference.releases as releases on releases.release_id = entries.release_id
    inner join forecasts.survey_rounds as rounds
        on rounds.entity_id = releases.entity_id
        and rounds.canonical_id = entries.canonical_id
        and rounds.observed_at between own.due_at - interval 120 day and own.due_at
        and rounds.observed_at >= entries.known_from
)

select
    moments.entry_id,
    moments.canonical_id,
    moments.moment,
    own.* exclude (entry_id, observed_at, known_to),
    own.observed_at as schedule_observed_at,
    min(neighbours.due_at) as next_due_at,
from moments
inner join calendar.calendar_schedules as own
    on own.entry_id = moments.entry_id
    and own.observed_at <= moments.moment
    and coalesce(own.known_to > moments.moment, true)
left join calendar.calendar_schedules as neighbours
    on neighbours.release_id = own.release_id
    and neighbours.due_at > own.due_at
    and neighbours.due_at < own.due_at + interval 100 day
    and neighbours.observed_at <= moments.moment
    and coalesce(neighbours.known_to > moments.moment, true)
    and neighbours.status <> 'cancelled'
    and not neighbours.is_lapsed
group by all
