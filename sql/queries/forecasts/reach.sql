-- The forecasts of each series at the cutoff: for each newest period that ends on or after a day, the newest forecast.
-- Grain: series_no.
with

newest as (
    select distinct on (series_no, base_period)
        series_no,
        base_period,
        list_transform(
            [base_period, forecast_period],
            lambda period: last_day(
                case
                    when contains(period, 'Q') then make_date(left(period, 4)::integer, 3 * right(period, 1)::integer, 1)
                    when length(period) = 4 then make_date(period::integer, 12, 1)
                    else strptime(period || '-01', '%Y-%m-%d')::date
                end
            )
        ) as ends,
    from published.forecasts
    where $as_of::timestamptz is null or observed_at <= $as_of::timestamptz
    order by series_no, base_period, observed_at desc
)

select
    series_no,
    count(*) as observation_count,
    max(ends[2]) as latest_period_end,
from newest
where $period_from::date is null or ends[1] >= $period_from::date
group by series_no
