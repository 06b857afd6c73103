-- One row per vintage of an observation with new information, with the interval in which it was the newest known:
-- [observed_at, known_to); known_to is null while it holds. release_no counts the prints of a period; first_* are those
-- of the first print. A null value is a withdrawal.
-- Prices and volumes of companies are as traded: a vendor's adjustment for splits between the day and its retrieval is
-- reversed. A print that differs from the one before only by the rounding of such an adjustment is not new, nor is one
-- that differs only after the fifteenth digit, which some files round off. Each round of projections is a vintage.
with

splits as (
    select series_no, list({ effective_date: effective_date, ratio: ratio } order by effective_date) as splits
    from series.quoted_splits
    group by all
),

measures as (
    from (values ('price_open', 1), ('price_high', 1), ('price_low', 1), ('price_close', 1), ('volume', -1)) as measures (canonical_id, exponent)
),

numbered as (
    select
        series.series_no,
        is_projection(series.canonical_id) as is_projection,
        observations.period,
        observations.period_start,
        observations.period_end,
        coalesce(
            list_product(
                list_transform(
                    list_filter(
                        splits.splits,
                        lambda split: split.effective_date > observations.period_end
                        and split.effective_date <= (observations.retrieved_at at time zone 'UTC')::date
                    ),
                    lambda split: split.ratio
                )
            ),
            1
        ) ** coalesce(measures.exponent, 0) as undone,
        -- Rounds off the noise of binary fractions: 459.024 before a five-for-one split is 2295.12.
        if(undone = 1, observations.value, round(observations.value * undone, 10)) as value,
        observations.obs_status,
        observations.vintage,
        observations.observed_at,
        observations.released_at,
        observations.retrieved_at,
        observations.ingested_at,
        observations.run_id,
        observations.change_sequence,
    from series.attributed_observations as observations
    inner join series.series using (source_id, indicator_id, frequency)
    left join measures on measures.canonical_id = series.canonical_id
    left join splits on splits.series_no = series.series_no
),

ordered as (
    select
        *,
        lag(value) over instants as value_before,
        lag(undone) over instants as undone_before,
        lag(true, 1, false) over instants as has_before,
    from numbered
    window instants as (partition by series_no, period_end order by observed_at, change_sequence)
),

changed as (
    select *
    from ordered
    where
        not has_before
        or is_projection
        or (
            value is distinct from value_before
            and not coalesce(abs(value - value_before) <= 6e-15 * abs(value_before), false)
            and not coalesce(undone != undone_before and abs(value / nullif(value_before, 0) - 1) <= 0.001, false)
        )
)

select
    series_no,
    period,
    period_start,
    period_end,
    value,
    obs_status,
    vintage,
    observed_at,
    lead(observed_at) over instants as known_to,
    lag(observed_at) over instants as prior_observed_at,
    lag(value) over instants as prior_value,
    lag(vintage) over instants as prior_vintage,
    first_value(observed_at) over instants as first_observed_at,
    first_value(vintage) over instants as first_vintage,
    first_value(retrieved_at) over instants as first_retrieved_at,
    row_number() over instants as release_no,
    (value is distinct from first_value(value) over instants) as is_revised,
    released_at,
    retrieved_at,
    ingested_at,
    run_id,
    change_sequence,
from changed
window instants as (partition by series_no, period_end order by observed_at, change_sequence)
