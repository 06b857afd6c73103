-- Observations that the archive gives and the whole files of their source do not hold. They take the numbers of change that no whole file has, in
-- their order, and the time at which their payload was ingested.
with

missing as (
    select rebuilt.*
    from rebuilt
    anti join held
        on
        rebuilt.indicator_id = held.indicator_id
        and rebuilt.entity_id = held.entity_id
        and rebuilt.frequency = held.frequency
        and rebuilt.unit is not distinct from held.unit
        and rebuilt.period_end = held.period_end
        and rebuilt.observed_at = held.observed_at
        and rebuilt.value is not distinct from held.value
),

free_numbers as (
    select number, row_number() over (order by number) as place
    from range(1, getvariable('last_change_sequence')::bigint + 1) as numbers (number)
    anti join taken_numbers on taken_numbers.change_sequence = numbers.number
),

ingested as (
    select payload_id, min(ingested_at) as ingested_at
    from (
        select payload_id, finished_at as ingested_at from whole_ingestions
        where status = 'ok'
        union all
        select payload_id, ingested_at from whole_observations
    )
    group by payload_id
),

numbered as (select *, row_number() over (order by change_sequence) as place from missing)

select
    numbered.* exclude (place) replace (
        coalesce(ingested.ingested_at, numbered.ingested_at) as ingested_at,
        coalesce(
            free_numbers.number,
            getvariable('last_change_sequence')::bigint + numbered.place - (select count(*) from free_numbers)
        ) as change_sequence
    )
from numbered
left join free_numbers using (place)
left join ingested using (payload_id)
order by indicator_id, frequency, period_end, observed_at, change_sequence
