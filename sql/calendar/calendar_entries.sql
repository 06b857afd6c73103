-- Schedules of several sources that are one calendar entry. One row per (source_id, schedule_id). A schedule whose
-- first day was that of another schedule of the same release belongs to that one's entry. Later changes of either do
-- not separate them. A tentative day without a sign of release and a sign on another day, at most two weeks away, are
-- one entry too; of several, the one known first, then the nearest. Only facts known at the first statement count, so
-- an entry is the same in every later lake.
with

firsts as (
    select schedules.*, sources.source_no, { known_at: observed_at, source_no: source_no, schedule_id: schedule_id } as place
    from calendar.schedules
    inner join reference.sources using (source_id)
    qualify row_number() over (partition by source_id, schedule_id order by observed_at) = 1
),

same_day as (
    select
        own.source_id,
        own.schedule_id,
        arg_min({ source_id: other.source_id, schedule_id: other.schedule_id }, other.place) as parent,
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
),

-- Tentative days, with days on which there was a release.
moved as (
    select
        supposed.place as supposed_place,
        came.place as came_place,
        supposed.release_id,
        supposed.due_date as supposed_date,
        came.due_date as came_date,
        supposed.source_id as supposed_source,
        supposed.schedule_id as supposed_id,
        came.source_id as came_source,
        came.schedule_id as came_id,
        greatest(supposed.place, came.place) as later_place,
    from firsts as supposed
    inner join firsts as came
        on came.release_id = supposed.release_id
        and came.source_id <> supposed.source_id
        and abs(came.due_date - supposed.due_date) between 1 and 14
    where supposed.time_precision = 'tentative' and supposed.status = 'scheduled' and came.status = 'released'
),

unpaired as (
    select moved.*
    from moved
    where not exists (
        from firsts as partner
        where
            partner.release_id = moved.release_id
            and partner.observed_at <= moved.later_place.known_at
            and (
                (partner.due_date = moved.came_date and partner.status = 'scheduled')
                or (partner.due_date = moved.supposed_date and partner.status = 'released')
            )
    )
),

nearest as (
    select *
    from unpaired
    qualify
        row_number() over (partition by supposed_place order by later_place.known_at, abs(came_date - supposed_date), came_place) = 1
        and row_number() over (partition by came_place order by later_place.known_at, abs(came_date - supposed_date), supposed_place) = 1
),

parents as (
    from same_day
    union all
    select
        if(supposed_place = later_place, supposed_source, came_source),
        if(supposed_place = later_place, supposed_id, came_id),
        if(
            supposed_place = later_place,
            { source_id: came_source, schedule_id: came_id },
            { source_id: supposed_source, schedule_id: supposed_id }
        ),
    from nearest
    anti join same_day
        on same_day.source_id = if(supposed_place = later_place, supposed_source, came_source)
        and same_day.schedule_id = if(supposed_place = later_place, supposed_id, came_id)
)

select
    firsts.source_id,
    firsts.schedule_id,
    firsts.release_id,
    coalesce(grandparents.parent, parents.parent, { source_id: firsts.source_id, schedule_id: firsts.schedule_id }) as root,
    'cal_' || left(sha256(concat_ws('|', (root).source_id, (root).schedule_id)), 26) as entry_id,
from firsts
left join parents using (source_id, schedule_id)
left join parents as grandparents
    on grandparents.source_id = parents.parent.source_id
    and grandparents.schedule_id = parents.parent.schedule_id
