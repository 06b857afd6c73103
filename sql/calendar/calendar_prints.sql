-- The number of a release, as known at a moment: one row per (entry_id, canonical_id, moment) with a known or expected
-- number. Printed: the first series that carries it. Before that: the period after the newest known one, if the
-- schedule names it, or if it is not yet released, no other release lies between and the usual lag of a month agrees.
with

printed as (
    select * exclude (place)
    from calendar.carried_prints
    qualify row_number() over (partition by entry_id, canonical_id, moment order by printed_at, place) = 1
),

newest as (
    select moments.*, prints.series_no, prints.observed_at as newest_at, prints.period_end as newest_end, prints.next_end, prints.frequency
    from calendar.calendar_moments as moments
    inner join calendar.release_prints as prints
        on prints.release_id = moments.release_id
        and prints.canonical_id = moments.canonical_id
        and prints.observed_at <= moments.moment
        and prints.observed_at > moments.due_at - interval 150 day
    anti join printed
        on printed.entry_id = moments.entry_id
        and printed.canonical_id = moments.canonical_id
        and printed.moment = moments.moment
    where moments.status <> 'cancelled'
    qualify row_number() over (
        partition by moments.entry_id, moments.canonical_id, moments.moment
        order by prints.period_end desc, prints.is_first desc, prints.observed_at, prints.place
    ) = 1
),

expected as (
    select
        * exclude (period),
        if(frequency = 'monthly', strftime(next_end, '%Y-%m'), year(next_end) || '-Q' || quarter(next_end)) as expected_period,
    from newest
    where
        newest_at < due_at
        and frequency in ('monthly', 'quarterly')
        and if(
            period is null,
            not is_released and not is_lapsed and frequency = 'monthly' and date_diff('day', next_end, due_date) between 1 and 62,
            period = expected_period
        )
),

upcoming as (
    select expected.*
    from expected
    anti join calendar.calendar_schedules as between_them
        on between_them.release_id = expected.release_id
        and between_them.entry_id <> expected.entry_id
        and between_them.due_at > expected.newest_at
        and between_them.due_at < expected.due_at
        and between_them.observed_at <= expected.moment
        and coalesce(between_them.known_to > expected.moment, true)
        and between_them.status <> 'cancelled'
        and not between_them.is_lapsed
),

-- The previous period (previous_period_end): the one before by the calendar, or for days and events the previous row,
-- with its value just before the print and at it.
outcomes as (select distinct series_no, period_end, printed_at from printed),

befores as (
    select outcomes.*, max(earlier.period_end) as prior_end
    from outcomes
    inner join derived.all_vintages as earlier
        on earlier.series_no = outcomes.series_no
        and earlier.period_end < outcomes.period_end
        and earlier.observed_at <= outcomes.printed_at
        and coalesce(earlier.known_to >= outcomes.printed_at, true)
        and earlier.value is not null
    inner join derived.all_series as series
        on series.series_no = outcomes.series_no
        and coalesce(
            calendar_place(series.frequency, earlier.period_end) = calendar_place(series.frequency, outcomes.period_end) - 1, true
        )
    group by all
),

priors as (
    select
        befores.*,
        max(earlier.value) filter (where earlier.observed_at < printed_at and coalesce(earlier.known_to >= printed_at, true)) as value_before,
        max(earlier.value) filter (where coalesce(earlier.known_to > printed_at, true)) as value_after,
    from befores
    inner join derived.all_vintages as earlier
        on earlier.series_no = befores.series_no
        and earlier.period_end = befores.prior_end
        and earlier.observed_at <= befores.printed_at
    group by all
)

select
    entry_id,
    canonical_id,
    moment,
    series_no,
    period,
    period_end,
    actual,
    vintage,
    printed_at,
    coalesce(value_before, value_after) as previous,
    if(value_before is distinct from value_after and value_before is not null, value_after, null) as revised_previous,
    prior_end as previous_period_end,
from printed
left join priors using (series_no, period_end, printed_at)
union all by name
select
    entry_id,
    canonical_id,
    moment,
    upcoming.series_no,
    expected_period as period,
    next_end as period_end,
    held.value as previous,
    upcoming.newest_end as previous_period_end,
from upcoming
inner join derived.all_vintages as held
    on held.series_no = upcoming.series_no
    and held.period_end = upcoming.newest_end
    and held.observed_at <= upcoming.moment
    and coalesce(held.known_to > upcoming.moment, true)
