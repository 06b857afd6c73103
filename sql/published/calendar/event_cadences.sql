-- How long event series may stay silent after their newest row: one row per series of frequency event and interval
-- [known_from, known_to). In the interval, latest_period_end was its newest row in force, null if that was withdrawn,
-- and budget_days its age limit; known_to is null while that holds. budget_days: the 95th percentiles of the gaps
-- between its releases and of their lags, plus the grace of events; null before the twelfth release. An event has no
-- cadence, so it is neither fresh nor stale.
with

event_vintages as (
    select vintages.series_no, vintages.period_end, vintages.observed_at, vintages.known_to, vintages.value
    from derived.all_vintages as vintages
    inner join derived.all_series as series using (series_no)
    where series.frequency = 'event'
),

instants as (select distinct series_no, observed_at from event_vintages),

reaches as (
    select instants.series_no, instants.observed_at, max(held.period_end) as latest_period_end
    from instants
    left join event_vintages as held
        on held.series_no = instants.series_no
        and held.value is not null
        and is_in_force(held.observed_at, held.known_to, instants.observed_at)
    group by all
),

learned as (
    select
        series_no,
        observed_at,
        count(*) over up_to_now as release_count,
        quantile_cont(gap_days, 0.95) over up_to_now + quantile_cont(lag_ms, 0.95) over up_to_now / 86400000 as usual_days,
    from derived.releases
    where series_no in (select series_no from instants)
    window up_to_now as (partition by series_no order by observed_at rows between unbounded preceding and current row)
),

budgeted as (
    select
        reaches.*,
        if(learned.release_count >= 12, round(learned.usual_days + grace.grace_days, 2), null) as budget_days,
    from reaches
    asof left join learned on learned.series_no = reaches.series_no and learned.observed_at <= reaches.observed_at
    cross join (
        select grace_days from reference.cadence_budgets
        where cadence = 'event'
    ) as grace
)

select
    series_no,
    observed_at as known_from,
    lead(observed_at) over (partition by series_no order by observed_at) as known_to,
    latest_period_end,
    budget_days,
from budgeted
order by series_no, known_from
