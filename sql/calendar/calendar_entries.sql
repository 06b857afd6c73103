-- Which schedules of several sources are one entry of the calendar. One row per (source_id, schedule_id). A schedule that first names the day on which another
-- of the same release then stood belongs to that one's entry; whatever either says later does not part them. What counts is what was known at the first
-- statement, so that an entry is the same in every later lake.
with

firsts as (
    select schedules.*, sources.source_no, {known_at: observed_at, source_no: source_no, schedule_id: schedule_id} as place
    from calendar.schedules
    inner join reference.sources using (source_id)
    qualify row_number() over (partition by source_id, schedule_id order by observed_at) = 1
),

parents as (
    select
        own.source_id,
        own.schedule_id,
        arg_min({source_id: other.source_id, schedule_id: other.schedule_id}, other.place) as parent,
    from firsts as own
    inner join firsts as other
        on other.release_id = own.release_id
        and (other.source_id <> own.source_id or other.release_code <> own.release_code)
        and other.place < own.place
    inner join calendar.schedules as then_known
        on then_known.source_id = other.source_id
        and then_known.schedule_id = other.schedule_id
        and then_known.observed_at <= own.observed_at
        and coalesce(then_known.known_to > own.observed_at, true)
        and then_known.due_date = own.due_date
    group by all
)

select
    firsts.source_id,
    firsts.schedule_id,
    firsts.release_id,
    coalesce(grandparents.parent, parents.parent, {source_id: firsts.source_id, schedule_id: firsts.schedule_id}) as root,
    'cal_' || left(sha256(concat_ws('|', (root).source_id, (root).schedule_id)), 26) as entry_id,
from firsts
left join parents using (source_id, schedule_id)
left join parents as grandparents
    on grandparents.source_id = parents.parent.source_id
    and grandparents.schedule_id = parents.parent.schedule_id
