-- Quarantined rows and payloads. A finding is superseded once a later connector version, or a later attempt, has read the same payload.
-- series_no and vintage lead to the observation that a warning was about. What contradicts itself is found when the snapshot is built.
with

findings as (
    from lake.quarantine
    union all by name
    from filings.statement_findings
    union all by name
    from valuations.trailing_findings
    union all by name
    from splits.split_findings
)

select
    quarantine.quarantine_id,
    quarantine.source_id,
    quarantine.source_id as connector_id,
    quarantine.run_id,
    quarantine.entity_id,
    quarantine.indicator_id,
    quarantine.series_code,
    quarantine.period,
    quarantine.rule,
    quarantine.rule_version,
    quarantine.severity,
    quarantine.reason,
    quarantine.field_path,
    quarantine.observed_value,
    quarantine.expected,
    quarantine.payload_id,
    case
        when later.connector_version > quarantine.connector_version then 'superseded'
        when quarantine.rule = 'schema_drift' and quarantine.indicator_id is null and later.connector_version = quarantine.connector_version then 'superseded'
        when quarantine.severity = 'warn' then 'released'
        else coalesce(resolved.decision, 'open')
    end as status,
    quarantine.detected_at,
    if(status != 'open', coalesce(if(status = resolved.decision, resolved.decided_at, null), if(later.connector_version is not null and status = 'superseded', later.finished_at, null), quarantine.detected_at), null) as resolved_at,
    case
        when status = resolved.decision then resolved.note
        when status = 'superseded' then 'The payload was read again.'
        when status = 'released' then 'A warning: the row was written.'
    end as resolution,
    written.series_no,
    written.vintage,
from findings as quarantine
left join (
    select payload_id, max(connector_version) as connector_version, max(finished_at) as finished_at
    from lake.ingestions
    where status = 'ok'
    group by all
) as later using (payload_id)
left join (
    select distinct on (quarantine_id) quarantine_id, status as decision, note, resolved_at as decided_at
    from lake.resolutions
    order by quarantine_id, resolved_at desc
) as resolved using (quarantine_id)
left join (
    select series.source_id, series.indicator_id, series.series_no, vintages.period, vintages.run_id, min(vintages.vintage) as vintage
    from published.vintages
    inner join published.series using (series_no)
    where not series.is_derived and vintages.run_id in (select run_id from lake.quarantine where severity = 'warn')
    group by all
) as written
    on quarantine.severity = 'warn'
    and written.source_id = quarantine.source_id
    and written.indicator_id = quarantine.indicator_id
    and written.period = quarantine.period
    and written.run_id = quarantine.run_id
order by quarantine.quarantine_id
