-- The places of a panel's rows: the date, the slot and the number of the interval. `panel_described` stands for described.sql. A
-- row for each date on which an interval held; a change has one row, at its own moment. Grain: date, slot and moment. Moments are
-- microseconds since 1970.
with

stays as (
    select
        unnest($stay_slots::integer[]) as slot,
        unnest($stay_from::date[]) as stay_from,
        unnest($stay_to::date[]) as stay_to,
),

dates as (
    select
        *,
        row_number() over (order by day) as place,
    from (select unnest($days::date[]) as day, unnest($moments::bigint[]) as moment)
),

-- No moment is after now, so the last dates may share it.
moments as (
    select
        moment,
        min(place) as place,
    from dates
    group by moment
),

-- A change has the place 0, which no date has.
spans as (
    select
        described.interval_no,
        described.slot,
        described.held_from,
        described.held_to,
        if($is_change::boolean, 0, first_moments.place) as first_place,
        if($is_change::boolean, 1, coalesce(next_moments.place, (select count(*) + 1 from dates))) as next_place,
    from panel_described as described
    asof left join moments as first_moments on first_moments.moment >= described.held_from
    asof left join moments as next_moments on next_moments.moment >= described.held_to
),

placed as (
    select
        *,
        unnest(range(first_place, next_place)) as place,
    from spans
    where first_place < next_place
),

cells as (
    select
        coalesce(dates.day, make_timestamp(placed.held_from)::date) as day,
        coalesce(dates.moment, placed.held_from) as moment,
        placed.slot,
        placed.interval_no,
    from placed
    left join dates using (place)
)

select cells.*
from cells
inner join stays on stays.slot = cells.slot and cells.day between stays.stay_from and stays.stay_to
