-- Forecasts that are not finite, lie outside their interval, or are older than the period that they follow.
with

known as (
    select series_no, period, min(observed_at) as first_observed_at
    from published.vintages
    where value is not null and series_no in (select series_no from published.forecasts)
    group by all
)

select forecasts.series_no, forecasts.base_period, forecasts.forecast, forecasts.forecast_lower, forecasts.forecast_upper, forecasts.observed_at
from published.forecasts
left join known on known.series_no = forecasts.series_no and known.period = forecasts.base_period
where
    not (isfinite(forecasts.forecast_lower) and isfinite(forecasts.forecast_upper))
    or forecasts.forecast not between forecasts.forecast_lower and forecasts.forecast_upper
    or known.first_observed_at is null
    or forecasts.observed_at < known.first_observed_at
