-- One row per source: what it is, and how its runs and its series are doing. Last success and last new data stay apart.
with

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
    from lake.attempts
    group by all
),

failures as (
    select attempts.source_id, count(*) as consecutive_failures
    from lake.attempts
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
    attempts.* exclude (source_id),
    coalesce(failures.consecutive_failures, 0) as consecutive_failures,
    coalesce(series.series_total, 0) as series_total,
    coalesce(series.series_fresh, 0) as series_fresh,
    coalesce(series.series_stale, 0) as series_stale,
    coalesce(series.series_ceased, 0) as series_ceased,
    coalesce(series.series_unknown, 0) as series_unknown,
    coalesce(quarantined.quarantined_open, 0) as quarantined_open,
from reference.sources
left join connectors using (source_id)
left join attempts using (source_id)
left join failures using (source_id)
left join series using (source_id)
left join quarantined using (source_id)
order by sources.source_no
