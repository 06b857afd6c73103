-- Filers whose facts contradict the quarterly data sets of statements, as findings in quarantine: one row per pair and
-- filer, with the first difference. It is a warning and withholds no value.
with

disagreeing as (
    select
        pair,
        entity_id,
        count(*) as count_of,
        arg_min(
            { subject: subject, period: period, period_end: period_end, left_value: left_value, right_value: right_value, run_id: run_id },
            (period_end, period, subject)
        ) as first,
        max(ingested_at) as detected_at,
    from reconciliations.filed_comparisons
    where outcome = 'disagrees'
    group by all
),

counted as (
    select pair, entity_id, count(*) as compared
    from reconciliations.filed_comparisons
    group by all
)

select
    'qrn_' || left(sha256(concat_ws('|', 'reconciliation', pair, first.subject, first.period)), 26) as quarantine_id,
    pairs.left_source_id as source_id,
    'reconciliation_failed' as rule,
    '1' as rule_version,
    'warn' as severity,
    'Differs from ' || pairs.right_source_id || ' in ' || disagreeing.count_of || ' of ' || counted.compared || ' comparisons, first of '
    || first.subject || ' in ' || first.period || ': ' || first.left_value || ' against ' || first.right_value || '.' as reason,
    null::varchar as indicator_id,
    disagreeing.entity_id,
    strftime(first.period_end, '%Y-%m-%d') as period,
    pairs.right_source_id || '.' || pairs.right_indicator as field_path,
    first.left_value::varchar as observed_value,
    json_object('value', first.right_value, 'tolerance', pairs.tolerance)::varchar as expected,
    runs.payload_id,
    first.run_id as run_id,
    disagreeing.detected_at,
from disagreeing
inner join counted using (pair, entity_id)
inner join reference.reconciliations as pairs using (pair)
left join series.runs as runs on runs.run_id = first.run_id
