-- Change numbers for the lost rows of all sources, in the order in which they had entered. Each gets the highest number
-- that no intact file uses and that is below those of later rows. So a reader of the change feed sees a row twice
-- rather than never. If there are too few free numbers, the earliest observations get new ones and the earliest records
-- none. Grain: source_no, read_as.
with

lost as (
    select *, row_number() over (order by read_at, source_no, read_as) as place from lost_numbers
),

taken_by_time as (
    select read_at, min(change_sequence) as change_sequence from taken_numbers
    where read_at is not null
    group by read_at
),

taken_later as (
    select read_at, min(change_sequence) over (order by read_at rows between current row and unbounded following) as change_sequence
    from taken_by_time
),

bounded as (
    select lost.*, coalesce(taken_later.change_sequence, getvariable('last_change_sequence')::bigint + 1) as bound
    from lost
    asof left join taken_later
        on lost.read_at < taken_later.read_at
),

counted as (
    select bounded.*, coalesce(free_numbers.place, 0) as free_below
    from bounded
    asof left join free_numbers
        on bounded.bound > free_numbers.number
),

placed as (
    select *, place + min(free_below - place) over (order by place rows between current row and unbounded following) as free_place
    from counted
)

select
    placed.source_no,
    placed.read_as,
    coalesce(
        free_numbers.number,
        if(
            placed.are_records,
            null,
            getvariable('last_change_sequence')::bigint
            + count(*) filter (where not placed.are_records) over (order by placed.place rows between unbounded preceding and current row)
        )
    ) as change_sequence,
from placed
left join free_numbers on free_numbers.place = placed.free_place
