-- The newest forecast known at the cutoff for each given period as the newest one. Grain: series, base period.
select distinct on (series_no, base_period)
    series_no, base_period, forecast, forecast_method, forecast_lower, forecast_upper, forecast_level, forecast_period, forecast_origin,
    forecast_model_version,
from published.forecasts
where
    series_no in (select unnest($series_nos::integer[]))
    and base_period in (select unnest($periods::varchar[]))
    and ($as_of::timestamptz is null or observed_at <= $as_of::timestamptz)
order by series_no, base_period, observed_at desc, forecast_model_version desc
