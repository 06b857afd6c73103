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
            case
                when contains(forecast_period, 'Q')
                    then make_date(left(forecast_period, 4)::integer, 3 * right(forecast_period, 1)::integer, 1)
                when length(forecast_period) = 4 then make_date(forecast_period::integer, 12, 1)
                else strptime(forecast_period || '-01', '%Y-%m-%d')::date
            end
        )
    ) as latest_period_end,
from newest
group by series_no
