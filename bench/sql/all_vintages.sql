-- The generated counterpart of derived.all_vintages for some series of one dataset: 600 months from 1976 on, 25/6 vintages of each on
-- average, about a month apart; one newest vintage in some hundreds is a withdrawal. Every cell follows from its place and the seed.
with

cells as (
    select
        (getvariable('dataset_no') << 20) + 1 + cell // 600 as series_no,
        (cell % 600)::integer as period_no,
        hash(getvariable('seed'), getvariable('dataset_no'), cell) as luck,
    from range(getvariable('series_from') * 600, getvariable('series_to') * 600) as cells (cell)
),

counted as (
    select
        *,
        (1 + luck % 7 + if(luck // 7 % 6 = 0, 1, 0))::integer as vintages,
        (date '1976-01-01' + to_months(period_no))::date as period_start,
        (date '1976-01-01' + to_months(period_no + 1))::date - 1 as period_end,
        1 + hash(series_no) % 1000 as base,
    from cells
),

vintages as (
    select *, unnest(range(vintages))::integer as vintage_no
    from counted
),

told as (
    select
        *,
        generated_instant(period_end, series_no, luck, vintage_no) as observed_at,
        generated_instant(period_end, series_no, luck, 0) as first_observed_at,
        if(vintage_no > 0, generated_instant(period_end, series_no, luck, vintage_no - 1), null) as prior_observed_at,
        if(vintage_no + 1 < vintages, generated_instant(period_end, series_no, luck, vintage_no + 1), null) as known_to,
        if(vintage_no > 0 and vintage_no + 1 = vintages and luck // 42 % 500 = 0, null, generated_value(base, period_no, luck, vintage_no)) as value,
        if(vintage_no > 0, generated_value(base, period_no, luck, vintage_no - 1), null) as prior_value,
    from vintages
)

select
    series_no,
    strftime(period_start, '%Y-%m') as period,
    period_start,
    period_end,
    value,
    null::varchar as value_text,
    null::varchar as obs_status,
    null::varchar as metadata,
    strftime(observed_at, '%Y-%m-%d') as vintage,
    observed_at,
    known_to,
    prior_observed_at,
    prior_value,
    strftime(prior_observed_at, '%Y-%m-%d') as prior_vintage,
    vintage_no + 1 as release_no,
    vintage_no > 0 as is_revised,
    observed_at as released_at,
    observed_at + interval 1 hour as retrieved_at,
    observed_at + interval 2 hour as ingested_at,
    strftime(first_observed_at, '%Y-%m-%d') as first_vintage,
    first_observed_at,
    first_observed_at + interval 1 hour as first_retrieved_at,
    'run_generated_' || getvariable('dataset_no') as run_id,
    null::varchar as source_run_id,
    null::varchar[] as input_run_ids,
    (series_no * 600 + period_no) * 8 + vintage_no as change_sequence,
    null::struct(series_no bigint, period varchar, vintage varchar, "role" varchar)[] as inputs,
    null::varchar[] as derived_from,
from told
