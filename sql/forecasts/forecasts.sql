-- The baseline forecasts of every macro series and their backtest (src/derived/forecasts.ts). Grain of the first: series_no,
-- base_period, origin_ms; of the second: series_no.
create or replace table forecasts.forecasts (
    series_no integer,
    base_period varchar,
    forecast_period varchar,
    forecast double,
    lower double,
    upper double,
    level double,
    method varchar,
    model_version varchar,
    origin_ms bigint
);

create or replace table forecasts.forecast_backtests (
    series_no integer,
    origin_count integer,
    scored_count integer,
    combination_count integer,
    combination_mase double,
    naive_mase double,
    combination_rmse_ratio double,
    mase double,
    rmse_ratio double,
    coverage double,
    msis double,
    calm_count integer,
    calm_covered_count integer
)
