-- One row per source with the state of its runs and its series. Last success and last new data are separate.
-- newest_content_date and content_budget_days, for a source of documents, filings or schedules: the day of the newest
-- one, and how many days may pass until the next. That is the 95th percentile of the gaps of the three years before it
-- plus fifteen days, as for series; twice the expected interval with fewer than five gaps; and an expected interval
-- plus its lag for batches.
-- The derivation of this snapshot counts as a successful attempt, after all failed ones. While a way in is behind
-- another one of its source, that is the last error, with the code way_behind.
with

all_attempts as (
    select source_id, started_at, finished_at, status, error, payloads_failed, rows_written from lake.attempts
    union all by name
    select
        'asof' as source_id,
        greatest(knowledge_cutoff(), max(finished_at) filter (where source_id = 'asof')) as finished_at,
        'ok' as status,
        0 as payloads_failed,
        sum(rows_written) filter (where coalesce(collected_at, finished_at) = knowledge_cutoff()) as rows_written,
    from lake.attempts
    having count(*) > 0
),

content as (
    select source_id, coalesce(event_date, (released_at at time zone 'UTC')::date) as content_date from lake.documents
    union
    select source_id, filed from lake.filings
    union
    select source_id, (scheduled_at at time zone 'UTC')::date from lake.schedules
    where status <> 'cancelled'
),

gaps as (
    select
        source_id,
        content_date,
        content_date - lag(content_date) over (partition by source_id order by content_date) as gap,
        max(content_date) over (partition by source_id) as newest_content_date,
    from content
    where content_date is not null
),

ages as (
    select
        source_id,
        newest_content_date,
        if(count(gap) filter (where is_recent) < 5, null, ceil(quantile_cont(gap, 0.95) filter (where is_recent)) + 15)::integer as gap_budget_days,
    from (select *, content_date > newest_content_date - interval 3 year as is_recent from gaps)
    group by all
),

attempts as (
    select
        source_id,
        max(finished_at) as last_attempt_at,
        max(finished_at) filter (where status = 'ok') as last_success_at,
        max(finished_at) filter (where rows_written > 0) as last_new_data_at,
        max(finished_at) filter (where status = 'failed') as last_error_at,
        arg_max(error, finished_at) filter (where status = 'failed') as last_error_message,
        arg_max(if(payloads_failed > 0, 'payload_refused', 'run_failed'), finished_at) filter (where status = 'failed') as last_error_code,
        arg_max(status, finished_at) as last_status,
        count(*) filter (where status = 'ok' and finished_at > knowledge_cutoff() - interval 7 day)
        / nullif(count(*) filter (where finished_at > knowledge_cutoff() - interval 7 day), 0) as success_rate_7d,
        quantile_cont(epoch_ms(finished_at) - epoch_ms(started_at), 0.5) as latency_ms_p50,
    from all_attempts
    group by all
),

failures as (
    select attempts.source_id, count(*) as consecutive_failures
    from all_attempts as attempts
    inner join attempts as summary using (source_id)
    where attempts.status = 'failed' and (summary.last_success_at is null or attempts.finished_at > summary.last_success_at)
    group by all
),

connectors as (
    select source_id, max(connector_version) as connector_version
    from lake.ingestions
    group by all
),

series as (
    select
        source_id,
        count(*) as series_total,
        count(*) filter (where freshness_status = 'fresh') as series_fresh,
        count(*) filter (where freshness_status = 'stale') as series_stale,
        count(*) filter (where is_ceased) as series_ceased,
        count(*) filter (where freshness_status = 'unknown' and not is_ceased) as series_unknown,
    from published.series
    where not is_derived
    group by all
),

quarantined as (
    select source_id, count(*) as quarantined_open
    from published.quarantine
    where status = 'open'
    group by all
)

select
    sources.*,
    connectors.connector_version,
    attempts.* exclude (source_id)
    replace (
        coalesce(ways_behind.brought_at, last_error_at) as last_error_at,
        if(ways_behind.source_id is null, last_error_code, 'way_behind') as last_error_code,
        coalesce(ways_behind.message, last_error_message) as last_error_message
    ),
    coalesce(failures.consecutive_failures, 0) as consecutive_failures,
    coalesce(series.series_total, 0) as series_total,
    coalesce(series.series_fresh, 0) as series_fresh,
    coalesce(series.series_stale, 0) as series_stale,
    coalesce(series.series_ceased, 0) as series_ceased,
    coalesce(series.series_unknown, 0) as series_unknown,
    coalesce(quarantined.quarantined_open, 0) as quarantined_open,
    ages.newest_content_date,
    case
        when ages.source_id is null then null
        when ages.gap_budget_days is null then ceil(2 * sources.expected_interval_seconds / 86400.0)
        else greatest(ages.gap_budget_days, ceil(sources.expected_interval_seconds / 86400.0) + coalesce(sources.usual_lag_days, 0))
    end::integer as content_budget_days,
from reference.sources
left join connectors using (source_id)
left join attempts using (source_id)
left join reconciliations.ways_behind using (source_id)
left join failures using (source_id)
left join series using (source_id)
left join quarantined using (source_id)
left join ages using (source_id)
order by sources.source_no
