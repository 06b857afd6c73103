-- The forecasts of each series as they stood at the cutoff: the newest made with each newest period. Grain: series_no.
with

newest as (
    select distinct on (series_no, base_period) series_no, forecast_period
    from published.forecasts
    where observed_at <= $as_of::timestamptz
    order by series_no, base_period, observed_at desc
)

select
    series_no,
    count(*) as observation_count,
    max(
        last_day(
            if(
                contains(forecast_period, 'Q'),
                make_date(left(forecast_period, 4)::integer, 3 * right(forecast_period, 1)::integer, 1),
                strptime(forecast_period || '-01', '%Y-%m-%d')::date
            )
        )
    ) as latest_period_end,
from newest
group by series_no
