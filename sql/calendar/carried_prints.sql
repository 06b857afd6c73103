-- The number of each series in a release, as known at a moment: one row per (entry_id, canonical_id, moment, series_no)
-- with a number. It is the first print of a newer period that had ended recently, and that became known from the
-- release on and before the next one. For a quarter, a revision on the same day counts too.
select
    moments.entry_id,
    moments.canonical_id,
    moments.moment,
    prints.series_no,
    prints.place,
    prints.period,
    prints.period_end,
    prints.value as actual,
    prints.vintage,
    prints.observed_at as printed_at,
from calendar.calendar_moments as moments
inner join calendar.release_prints as prints
    on prints.release_id = moments.release_id
    and prints.canonical_id = moments.canonical_id
    and prints.observed_at <= moments.moment
    and prints.observed_at >= moments.due_at
    and prints.observed_at < coalesce(moments.next_due_at, timestamptz 'infinity')
    and prints.observed_at < moments.due_at + interval 45 day
    and prints.period_end < moments.due_date
    and moments.due_date < prints.late_from
    and (prints.is_first or (prints.observed_at at time zone 'UTC')::date = moments.due_date)
where moments.status <> 'cancelled' and coalesce(moments.period = prints.period, true)
qualify row_number() over (
    partition by moments.entry_id, moments.canonical_id, moments.moment, prints.series_no order by prints.observed_at, prints.place
) = 1
