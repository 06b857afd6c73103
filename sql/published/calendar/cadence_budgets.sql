-- The learned cadence budgets of a series (docs/reference/methods.md#freshness): one row per interval [known_from,
-- known_to) in which a budget held; known_to is null while it holds. No row before the twelfth release: until then the
-- budget of the cadence applies (published.series.default_budget_days). release_lag_days: the 95th percentile of the
-- lags of release_count releases, linear between the two nearest (as in numpy's and pandas' quantile).
with

running as (
    select
        series_no,
        observed_at,
        count(*) over up_to_now as release_count,
        quantile_cont(lag_ms, 0.95) over up_to_now / 86400000 as lag_days,
    from derived.releases
    window up_to_now as (partition by series_no order by observed_at rows between unbounded preceding and current row)
),

learned as (
    select
        running.*,
        round(
            greatest(0.5 * defaults.budget_days, least(1.5 * defaults.budget_days, defaults.period_days + running.lag_days + defaults.grace_days)),
            2
        ) as budget_days,
    from running
    inner join derived.all_series as series using (series_no)
    inner join reference.cadence_budgets as defaults on defaults.cadence = series.frequency
    where running.release_count >= 12 and defaults.budget_days is not null
),

changes as (
    select *
    from learned
    qualify budget_days is distinct from lag(budget_days) over (partition by series_no order by observed_at)
)

select
    series_no,
    observed_at as known_from,
    lead(observed_at) over (partition by series_no order by observed_at) as known_to,
    release_count,
    round(lag_days, 2) as release_lag_days,
    budget_days,
from changes
order by series_no, known_from
