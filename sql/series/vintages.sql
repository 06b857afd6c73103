-- One row per vintage of an observation that said something new, with the interval in which it was the newest known:
-- [observed_at, known_to), known_to null while it holds. release_no counts the prints of a period. A null value is a withdrawal.
with

numbered as (
    select
        series.series_no,
        observations.period,
        observations.period_start,
        observations.period_end,
        observations.value,
        observations.vintage,
        observations.observed_at,
        observations.released_at,
        observations.retrieved_at,
        observations.ingested_at,
        observations.run_id,
        observations.change_sequence,
    from lake.observations
    inner join series.series using (source_id, indicator_id, frequency)
),

ordered as (
    select
        *,
        lag(value) over instants as value_before,
        lag(true, 1, false) over instants as has_before,
    from numbered
    window instants as (partition by series_no, period_end order by observed_at, change_sequence)
),

changed as (
    select *
    from ordered
    where not has_before or value is distinct from value_before
)

select
    series_no,
    period,
    period_start,
    period_end,
    value,
    vintage,
    observed_at,
    lead(observed_at) over instants as known_to,
    lag(observed_at) over instants as prior_observed_at,
    lag(value) over instants as prior_value,
    lag(vintage) over instants as prior_vintage,
    row_number() over instants as release_no,
    value is distinct from first_value(value) over instants as is_revised,
    released_at,
    retrieved_at,
    ingested_at,
    run_id,
    change_sequence,
from changed
window instants as (partition by series_no, period_end order by observed_at, change_sequence)
