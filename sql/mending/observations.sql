-- Observations that are in the archive but not in the intact files of their source, in the order in which they had
-- entered. In that order they get the free vintage labels of their day.
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

dated as (
    select *, regexp_replace(vintage, '\.\d+$', '') as day_label from missing
),

lost_labels as (
    select *, row_number() over (partition by indicator_id, entity_id, frequency, unit, period_end, day_label order by change_sequence) as nth
    from dated
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
    labelled.* exclude (nth, day_label, nth_that_day) replace (
        labelled.day_label || if(labelled.nth_that_day > 1, '.' || labelled.nth_that_day, '') as vintage
    )
from labelled
