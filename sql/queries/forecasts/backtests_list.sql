-- Results of the baseline forecasts for every redistributable series. Grain: series.
select
    series.indicator_id,
    series.canonical_id as canonical_indicator_id,
    series.source_id,
    series.frequency,
    backtests.forecast_method,
    backtests.forecast_model_version,
    backtests.forecast_level,
    backtests.origin_count,
    backtests.scored_count,
    backtests.combination_count,
    backtests.mase,
    backtests.rmse_ratio,
    backtests.coverage,
    backtests.msis,
    backtests.naive_mase,
    backtests.combination_mase,
    backtests.combination_rmse_ratio,
    backtests.calm_count,
    backtests.calm_covered_count,
from published.forecast_backtests as backtests
inner join published.series using (series_no)
where series.is_redistributable
order by backtests.series_no
