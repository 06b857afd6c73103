-- Every source with its status at a moment. Its series are judged at the same moment. Grain: source_id. The first of
-- these that applies:
-- unknown: never tried.
-- paused: it has no expected interval, or every series has ceased.
-- failing: three failures in a row, or never a success.
-- degraded: the last run failed, one way in is behind another, a whole interval was missed, or more series are stale
-- than fresh. For a source without series: its newest document, filing or schedule is older than usual.
-- healthy: otherwise.
with

judged as (
    select
        series.source_id,
        coalesce(series.ceased_at <= $at::timestamptz, false) as has_ceased,
        freshness_status(
            print_day(series.canonical_id, series.latest_period_end, series.latest_observed_at),
            coalesce(learned.budget_days, series.default_budget_days),
            has_ceased,
            $at::timestamptz
        ) as verdict,
    from published.series
    left join published.cadence_budgets as learned
        on learned.series_no = series.series_no
        and is_in_force(learned.known_from, learned.known_to, $at::timestamptz)
    where not series.is_derived
),

counted as (
    select
        source_id,
        count(*) as series_total,
        count(*) filter (where verdict = 'fresh') as series_fresh,
        count(*) filter (where verdict = 'stale') as series_stale,
        count(*) filter (where has_ceased) as series_ceased,
        count(*) filter (where verdict = 'unknown' and not has_ceased) as series_unknown,
    from judged
    group by all
),

together as (
    select
        sources.* exclude (series_total, series_fresh, series_stale, series_ceased, series_unknown),
        coalesce(counted.series_total, 0) as series_total,
        coalesce(counted.series_fresh, 0) as series_fresh,
        coalesce(counted.series_stale, 0) as series_stale,
        coalesce(counted.series_ceased, 0) as series_ceased,
        coalesce(counted.series_unknown, 0) as series_unknown,
        sources.last_attempt_at + to_seconds(sources.expected_interval_seconds) as next_run_at,
        case
            when coalesce(counted.series_total, 0) = 0 and sources.newest_content_date is not null
                then if(($at::timestamptz at time zone 'UTC')::date - sources.newest_content_date > sources.content_budget_days, 'stale', 'fresh')
            when coalesce(counted.series_fresh + counted.series_stale, 0) = 0 then 'unknown'
            when counted.series_stale > counted.series_fresh then 'stale'
            else 'fresh'
        end as freshness_status,
    from published.sources
    left join counted using (source_id)
),

decided as (
    select
        *,
        case
            when last_attempt_at is null then 'unknown'
            when expected_interval_seconds is null or (series_total > 0 and series_ceased = series_total) then 'paused'
            when consecutive_failures >= 3 or last_success_at is null then 'failing'
            when
                consecutive_failures > 0
                or last_error_code = 'way_behind'
                or $at::timestamptz > next_run_at + to_seconds(expected_interval_seconds)
                or freshness_status = 'stale' then 'degraded'
            else 'healthy'
        end as status,
    from together
)

select
    source_id,
    name,
    provider,
    source_tier,
    connector_version,
    status,
    last_attempt_at,
    last_success_at,
    last_new_data_at,
    last_error_at,
    last_error_code,
    last_error_message,
    consecutive_failures,
    success_rate_7d,
    latency_ms_p50,
    expected_interval_seconds,
    next_run_at,
    series_total,
    series_fresh,
    series_stale,
    series_ceased,
    series_unknown,
    quarantined_open,
    freshness_status,
    is_redistributable,
    license,
    rights_note,
from decided
where
    ($source_id::varchar is null or source_id = $source_id::varchar)
    and ($status::varchar is null or status = $status::varchar)
    and ($source_tier::varchar is null or source_tier = $source_tier::varchar)
    and ($freshness::varchar is null or freshness_status = $freshness::varchar)
