-- The rows to append, in the form of the lake's observations table. A series is in one place: series_ix counts by
-- indicator and frequency.
with

changes as (
    select
        compared.*,
        if(is_pseudo, 'pseudo:', '') || make_timestamp(epoch_us(observed_at))::date::varchar as day_label,
    from staged.compared
    where is_change and refusal is null
),

known_labels as (
    select series_ix, period_end, regexp_replace(vintage, '\.\d+$', '') as day_label, count(*) as labels
    from staged.known
    group by all
),

-- Of the changes of one day, all after the first follow another statement of that day.
repeated as (
    select distinct series_ix, period_end, day_label
    from changes
    where make_timestamp(epoch_us(prior_observed_at))::date = make_timestamp(epoch_us(observed_at))::date
),

labelled as (
    select changes.*, row_number() over (partition by series_ix, period_end, day_label order by observed_at) as nth
    from changes
    semi join repeated using (series_ix, period_end, day_label)
    union all by name
    select changes.*, 1 as nth
    from changes
    anti join repeated using (series_ix, period_end, day_label)
),

numbered as (
    select
        labelled.* exclude (nth),
        coalesce(known_labels.labels, 0) + labelled.nth as nth_that_day,
        getvariable('last_change_sequence')::bigint + row_number() over (order by observed_at, series_ix, period_end) as change_sequence,
    from labelled
    left join known_labels using (series_ix, period_end, day_label)
)

select
    series.indicator_id,
    series.resolved_entity_id as entity_id,
    series.resolved_canonical_id as canonical_id,
    series.series_code,
    series.resolved_frequency as frequency,
    series.resolved_unit as unit,
    numbered.period,
    numbered.period_start,
    numbered.period_end,
    numbered.value,
    numbered.obs_status,
    numbered.day_label || if(nth_that_day > 1, '.' || nth_that_day, '') as vintage,
    numbered.observed_at,
    numbered.released_at,
    numbered.retrieved_at,
    getvariable('ingested_at')::timestamptz as ingested_at,
    payloads.payload_id,
    payloads.run_id,
    numbered.change_sequence,
from numbered
inner join staged.series using (stated_ix)
inner join staged.payloads using (payload_no)
order by numbered.series_ix, numbered.period_end, numbered.observed_at
