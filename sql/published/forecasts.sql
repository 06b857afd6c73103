-- Baseline forecasts: one row per series, newest period that the model saw (base_period) and run. The forecast is for
-- the period after it. observed_at is its origin: when its newest period became known, or its model was released. No
-- row for a series that is not redistributable.
select
    forecasts.series_no,
    forecasts.base_period,
    forecasts.forecast_period,
    forecasts.forecast,
    forecasts.lower as forecast_lower,
    forecasts.upper as forecast_upper,
    forecasts.level as forecast_level,
    forecasts.method as forecast_method,
    forecasts.model_version as forecast_model_version,
    make_timestamptz(forecasts.origin_ms * 1000) as forecast_origin,
    make_timestamptz(forecasts.origin_ms * 1000) as observed_at,
from forecasts.forecasts
inner join published.series using (series_no)
where series.is_redistributable
order by forecasts.series_no, forecasts.origin_ms
