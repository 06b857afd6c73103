-- Quarantined rows and payloads by source, series, rule, severity, status and time of detection. Only those whose
-- period ends on or after history_from, or without a period, those detected from then on. Grain: quarantine_id.
select
    quarantine_id,
    source_id,
    connector_id,
    run_id,
    entity_id,
    indicator_id,
    period,
    rule,
    rule_version,
    severity,
    reason,
    field_path,
    observed_value,
    expected,
    payload_id,
    status,
    detected_at,
    resolved_at,
    resolution,
    series_no,
    vintage,
from published.quarantine
where
    ($source_id::varchar is null or source_id = $source_id::varchar)
    and ($indicator_id::varchar is null or indicator_id = $indicator_id::varchar)
    and ($entity_id::varchar is null or entity_id = $entity_id::varchar)
    and ($rule::varchar is null or rule = $rule::varchar)
    and ($severity::varchar is null or severity = $severity::varchar)
    and ($status::varchar is null or status = $status::varchar)
    and ($history_from::date is null or coalesce(period_end, (detected_at at time zone 'UTC')::date) >= $history_from::date)
    and ($detected_from::timestamptz is null or detected_at >= $detected_from::timestamptz)
    and ($detected_to::timestamptz is null or detected_at <= $detected_to::timestamptz)
