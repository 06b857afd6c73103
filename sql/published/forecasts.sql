-- Baseline forecasts: one row per series, newest period that the model saw (base_period) and run; the forecast is of the period that follows.
-- observed_at is when it ran. No forecast is computed yet, so it has no rows.
select
    null::integer as series_no,
    null::varchar as base_period,
    null::varchar as forecast_period,
    null::double as forecast,
    null::double as forecast_lower,
    null::double as forecast_upper,
    null::double as forecast_level,
    null::varchar as forecast_method,
    null::varchar as forecast_model_version,
    null::timestamptz as forecast_origin,
    null::timestamptz as observed_at,
from published.series
where false
