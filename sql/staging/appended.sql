-- The rows to append, as the lake's observations table has them, in the order in which one series is one place: series_ix counts series in the
-- order of indicator and frequency.
with

changes as (
    select
        compared.*,
        if(is_pseudo, 'pseudo:', '') || (observed_at at time zone 'UTC')::date::varchar as day_label,
    from staged.compared
    where is_change and refusal is null
),

known_labels as (
    select series_ix, period_end, regexp_replace(vintage, '\.\d+$', '') as day_label, count(*) as labels
    from staged.known
    group by all
),

labelled as (
    select
        changes.*,
        coalesce(known_labels.labels, 0)
        + row_number() over (partition by series_ix, period_end, day_label order by observed_at) as nth_that_day,
    from changes
    left join known_labels using (series_ix, period_end, day_label)
)

select
    series.indicator_id,
    series.resolved_entity_id as entity_id,
    series.resolved_canonical_id as canonical_id,
    series.series_code,
    series.resolved_frequency as frequency,
    series.resolved_unit as unit,
    labelled.period,
    labelled.period_start,
    labelled.period_end,
    labelled.value,
    labelled.day_label || if(nth_that_day > 1, '.' || nth_that_day, '') as vintage,
    labelled.observed_at,
    labelled.released_at,
    labelled.retrieved_at,
    getvariable('ingested_at')::timestamptz as ingested_at,
    payloads.payload_id,
    payloads.run_id,
    getvariable('last_change_sequence')::bigint
    + row_number() over (order by labelled.observed_at, labelled.series_ix, labelled.period_end) as change_sequence,
from labelled
inner join staged.series using (stated_ix)
inner join staged.payloads using (payload_no)
order by labelled.series_ix, labelled.period_end, labelled.observed_at
