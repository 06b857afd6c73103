-- Results of a series' baseline forecasts: each forecast of the model in force, made at a real release from the data
-- known then (also before the model's own release), compared with the value known a year later, for annual ones two
-- years. One row per series with forecasts. Measures are null if no forecast could be scored. combination_*: the
-- model's combination, chosen or not. mase, rmse_ratio (to the naive forecast), coverage and msis: the chosen method.
-- calm_*: periods outside March to August 2020.
select
    backtests.series_no,
    series.source_id,
    series.indicator_id,
    series.frequency,
    newest.method as forecast_method,
    newest.model_version as forecast_model_version,
    newest.level as forecast_level,
    backtests.origin_count,
    backtests.scored_count,
    backtests.combination_count,
    backtests.combination_mase,
    backtests.naive_mase,
    backtests.combination_rmse_ratio,
    backtests.mase,
    backtests.rmse_ratio,
    backtests.coverage,
    backtests.msis,
    backtests.calm_count,
    backtests.calm_covered_count,
from forecasts.forecast_backtests as backtests
inner join published.series using (series_no)
inner join (
    select distinct on (series_no) series_no, method, model_version, level
    from forecasts.forecasts
    order by series_no, origin_ms desc
) as newest using (series_no)
order by backtests.series_no
