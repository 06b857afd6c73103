-- Sources that contradict each other, as findings in quarantine: one row per pair and entity. It is a warning and
-- withholds no value. period: the first differing period in the first differing file.
with

disagreeing as (
    select
        pair,
        left_no,
        count(*) as count_of,
        arg_min(
            { known_at: known_at, period: period, left_value: left_value, right_value: right_value, run_id: run_id },
            (period_end, coalesce(known_at, timestamptz '-infinity'))
        ) as first,
        max(ingested_at) as detected_at,
    from reconciliations.comparisons
    where outcome = 'disagrees'
    group by all
),

counted as (
    select pair, left_no, count(*) as compared
    from reconciliations.comparisons
    group by all
)

select
    'qrn_' || left(sha256(concat_ws('|', 'reconciliation', pair, paired.left_indicator_id, first.period, epoch_us(first.known_at))), 26)
        as quarantine_id,
    paired.left_source_id as source_id,
    'reconciliation_failed' as rule,
    '1' as rule_version,
    'warn' as severity,
    'Differs from ' || paired.right_source_id || ' in ' || disagreeing.count_of || ' of ' || counted.compared || ' comparisons, first of '
    || first.period || coalesce(' in what was known at ' || strftime(first.known_at at time zone 'UTC', '%Y-%m-%d'), '')
    || ': ' || first.left_value || if(first.right_value is null, ', which was not said there yet.', ' against ' || first.right_value || '.')
        as reason,
    paired.left_indicator_id as indicator_id,
    paired.entity_id,
    first.period as period,
    paired.right_source_id || '.' || paired.right_indicator as field_path,
    first.left_value::varchar as observed_value,
    json_object('value', first.right_value, 'tolerance', paired.tolerance)::varchar as expected,
    runs.payload_id,
    first.run_id as run_id,
    disagreeing.detected_at,
from disagreeing
inner join counted using (pair, left_no)
inner join reconciliations.paired_series as paired using (pair, left_no)
left join series.runs as runs on runs.run_id = first.run_id
