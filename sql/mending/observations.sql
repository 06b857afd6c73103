-- Observations that the archive gives and the whole files of their source do not hold. They take the numbers of change that no whole file has, and of
-- the vintages of a day the labels that no whole row has, both in the order in which the lost rows came: by the time at which their payload was
-- ingested, then as a commit numbers its rows.
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

dated as (
    select
        missing.* replace (coalesce(ingested.ingested_at, missing.ingested_at) as ingested_at),
        regexp_replace(missing.vintage, '\.\d+$', '') as day_label
    from missing
    left join ingested using (payload_id)
),

numbered as (
    select *, row_number() over (order by ingested_at, observed_at, indicator_id, frequency, period_end, change_sequence) as place
    from dated
),

lost_labels as (
    select *, row_number() over (partition by indicator_id, entity_id, frequency, unit, period_end, day_label order by place) as nth
    from numbered
),

held_labels as (
    select
        indicator_id,
        entity_id,
        frequency,
        unit,
        period_end,
        regexp_replace(vintage, '\.\d+$', '') as day_label,
        list(coalesce(try_cast(regexp_extract(vintage, '\.(\d+)$', 1) as bigint), 1)) as taken
    from held
    group by all
),

labelled as (
    select
        lost_labels.*,
        case
            when held_labels.taken is null then lost_labels.nth
            else
                list_filter(
                    range(1, len(held_labels.taken) + lost_labels.nth + 1), lambda n: not list_contains(held_labels.taken, n)
                )[lost_labels.nth]
        end as nth_that_day
    from lost_labels
    left join held_labels
        on
        lost_labels.indicator_id = held_labels.indicator_id
        and lost_labels.entity_id = held_labels.entity_id
        and lost_labels.frequency = held_labels.frequency
        and lost_labels.unit is not distinct from held_labels.unit
        and lost_labels.period_end = held_labels.period_end
        and lost_labels.day_label = held_labels.day_label
)

select
    labelled.* exclude (place, nth, day_label, nth_that_day) replace (
        labelled.day_label || if(labelled.nth_that_day > 1, '.' || labelled.nth_that_day, '') as vintage,
        coalesce(
            free_numbers.number,
            getvariable('last_change_sequence')::bigint + labelled.place - (select count(*) from free_numbers)
        ) as change_sequence
    )
from labelled
left join free_numbers using (place)
order by indicator_id, frequency, period_end, observed_at, change_sequence
