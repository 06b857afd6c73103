-- One row per pair, entity and period of a comparison of newest values: the left converted to the quantity of the
-- right, rounded if the pair says so. Means and ends of months use only months that the left has in full: no gap of
-- more than five days, and data of a later month.
with

pairs as (
    select * from reconciliations.paired_series
    where comparison = 'newest'
),

newest as (
    select pairs.pair, pairs.transform, vintages.*
    from pairs
    inner join series.vintages on vintages.series_no = pairs.left_no
    where vintages.known_to is null and vintages.value is not null
),

spaced as (
    select
        *,
        last_day(period_end) as month_end,
        period_end - greatest(
            lag(period_end, 1, date '-infinity') over (partition by pair, series_no order by period_end), date_trunc('month', period_end)::date - 1
        ) as gap,
        max(period_end) over (partition by pair, series_no) as reach,
    from newest
    where transform in ('monthly_mean', 'month_end')
),

months as (
    select
        pair,
        series_no,
        strftime(month_end, '%Y-%m') as period,
        month_end as period_end,
        if(any_value(transform) = 'month_end', arg_max(value, spaced.period_end), avg(value)) as value,
        max(observed_at) as observed_at,
        max(ingested_at) as ingested_at,
        arg_max(run_id, spaced.period_end) as run_id,
    from spaced
    group by pair, series_no, month_end, reach
    having reach > month_end and max(gap) <= 5 and month_end - max(spaced.period_end) <= 5
),

years as (
    select
        later.pair,
        later.series_no,
        later.period,
        later.period_end,
        100 * (later.value / earlier.value - 1) as value,
        greatest(later.observed_at, earlier.observed_at) as observed_at,
        greatest(later.ingested_at, earlier.ingested_at) as ingested_at,
        later.run_id,
    from newest as later
    inner join newest as earlier
        on earlier.pair = later.pair
        and earlier.series_no = later.series_no
        and earlier.period_end = last_day(later.period_end - interval 12 month)
    where later.transform = 'yoy' and earlier.value > 0
)

select
    given.* exclude (value),
    -- Rounds half a unit up, as publishers do: in binary, a mean of 2.495 is slightly less.
    if(pairs.decimals is null, given.value, round(given.value + sign(given.value) * 1e-9, pairs.decimals)) as value,
from (
    from months
    union all by name
    from years
    union all by name
    select pair, series_no, period, period_end, value, observed_at, ingested_at, run_id from newest
    where transform is null
) as given
inner join pairs on pairs.pair = given.pair and pairs.left_no = given.series_no
