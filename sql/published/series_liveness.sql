-- One row per series: what is known of its feed. It advanced when a value of its newest period was first read here. upstream_advanced: whether
-- a run of its source that began after that brought anything new, null when no run succeeded since. identical_prints: newest periods in a row
-- with the same value. last_checked_at: the last run of its source that succeeded.
with

in_force as (
    select
        series_no,
        period_end,
        (last_value(value) over (
            partition by series_no order by period_end rows between unbounded preceding and unbounded following
        ) is distinct from value) as is_other,
    from published.vintages
    where known_to is null and value is not null
),

newest_other as (
    select series_no, max(period_end) filter (where is_other) as period_end
    from in_force
    group by all
),

identical as (
    select in_force.series_no, count(*) as identical_prints
    from in_force
    inner join newest_other using (series_no)
    where in_force.period_end > coalesce(newest_other.period_end, date '-infinity')
    group by all
),

advances as (
    select series.series_no, series.source_id, min(vintages.ingested_at) filter (where vintages.value is not null) as last_advance_at
    from published.series
    left join published.vintages on vintages.series_no = series.series_no and vintages.period_end = series.latest_period_end
    group by all
),

checks as (
    select
        advances.series_no,
        max(attempts.finished_at) as last_checked_at,
        bool_or(attempts.rows_written > 0) filter (where attempts.started_at > advances.last_advance_at) as upstream_advanced,
    from advances
    inner join lake.attempts on attempts.source_id = advances.source_id and attempts.status = 'ok'
    group by all
)

select
    series.series_no,
    advances.last_advance_at,
    checks.last_checked_at,
    checks.upstream_advanced,
    coalesce(identical.identical_prints, 0) as identical_prints,
from published.series
left join advances using (series_no)
left join checks using (series_no)
left join identical using (series_no)
order by series.series_no
