-- Refused rows and warnings, in the form of the lake's quarantine table, without those that are already there.
with

findings as (
    select payload_no, row_no, series_ix, stated_ix, period, observed_at, value, rule, 'block' as severity, null as prior_value
    from staged.judged
    where rule is not null
    union all
    select payload_no, row_no, series_ix, stated_ix, period, observed_at, value, refusal, 'block', prior_value
    from staged.compared
    where refusal is not null
    union all
    select payload_no, row_no, series_ix, stated_ix, period, observed_at, value, warning, 'warn', prior_value
    from staged.compared
    where warning is not null and is_change and refusal is null
),

worded as (
    select
        'qrn_'
        || left(
            sha256(concat_ws('|', payloads.payload_id, rule, series.series_code, period, observed_at, value, getvariable('connector_version'))), 26
        ) as quarantine_id,
        rule,
        '1' as rule_version,
        severity,
        case rule
            when
                'identity_unresolved'
                then
                    'Reference data has no indicator or entity for the series '
                    || series.series_code
                    || coalesce(' (' || series.entity_ref || ')', '')
                    || '.'
            when 'out_of_range' then 'The value is not a finite number.'
            when 'time_travel' then 'Said to be known at ' || observed_at || ', after its payload was retrieved at ' || payloads.retrieved_at || '.'
            when 'future_period' then 'The period had not begun when the value is said to have been known, at ' || observed_at || '.'
            when 'duplicate_conflict' then 'Another value is stated for the same series, period and instant.'
            when
                'period_regression'
                then
                    'The file has no date, and its newest period is older than one that asof has. '
                    || 'So it is an old download, and nobody can say when this value was known.'
            when 'scale_jump' then 'The revision changes the value by a factor of ten or more.'
            when 'sign_flip' then 'The revision changes the sign of the value.'
        end as reason,
        series.indicator_id,
        series.resolved_entity_id as entity_id,
        series.series_code,
        period,
        null::varchar as field_path,
        value::varchar as observed_value,
        if(prior_value is null, null, json_object('inForce', prior_value)::varchar) as expected,
        payloads.payload_id,
        payloads.run_id,
        getvariable('connector_version')::integer as connector_version,
        getvariable('ingested_at')::timestamptz as detected_at,
        payload_no,
    from findings
    inner join staged.series using (stated_ix)
    inner join staged.payloads using (payload_no)
    union all
    select
        'qrn_'
        || left(
            sha256(
                concat_ws(
                    '|',
                    payloads.payload_id,
                    rule,
                    series_code,
                    entity_id,
                    period,
                    field_path,
                    observed_value,
                    row_no,
                    getvariable('connector_version')
                )
            ),
            26
        ),
        rule,
        '1',
        'block',
        reason,
        null,
        entity_id,
        series_code,
        period,
        field_path,
        observed_value,
        null,
        payloads.payload_id,
        payloads.run_id,
        getvariable('connector_version')::integer,
        getvariable('ingested_at')::timestamptz,
        payload_no,
    from staged.refused
    inner join staged.payloads using (payload_no)
    union all
    select
        'qrn_'
        || left(
            sha256(
                concat_ws(
                    '|', payloads.payload_id, rule, accession_number, field_path, period, observed_value, row_no, getvariable('connector_version')
                )
            ),
            26
        ),
        rule,
        '1',
        'block',
        reason,
        null,
        entity_id,
        series_code,
        period,
        field_path,
        observed_value,
        null,
        payloads.payload_id,
        payloads.run_id,
        getvariable('connector_version')::integer,
        getvariable('ingested_at')::timestamptz,
        payload_no,
    from staged.refused_records
    inner join staged.payloads using (payload_no)
    union all
    select
        'qrn_'
        || left(
            sha256(
                concat_ws(
                    '|', payloads.payload_id, 'scale_jump held', series.indicator_id, series.resolved_frequency, getvariable('connector_version')
                )
            ),
            26
        ),
        'scale_jump',
        '2',
        'block',
        case
            when held.factor is null then 'Held back, because most compared values of this file belong to series that changed by one factor.'
            when held.factor = 0
                then format('In this file, {} of the {} periods that asof already knows are zero.', held.changed_periods, held.known_periods)
            else
                format(
                    'In this file, {} of the {} periods that asof already knows have {} times the known value.',
                    held.changed_periods,
                    held.known_periods,
                    round(held.factor, 6)::varchar
                )
        end || ' No value of the series is written from this file, unless you release it: npm run quarantine -- release ID --note TEXT',
        series.indicator_id,
        series.resolved_entity_id,
        series.series_code,
        null,
        null,
        held.factor::varchar,
        json_object('knownPeriods', held.known_periods, 'changedPeriods', held.changed_periods)::varchar,
        payloads.payload_id,
        payloads.run_id,
        getvariable('connector_version')::integer,
        getvariable('ingested_at')::timestamptz,
        payload_no,
    from staged.held
    inner join (
        select distinct on (series_ix) * from staged.series
        order by series_ix, stated_ix
    ) as series
        using (series_ix)
    inner join staged.payloads using (payload_no)
)

select distinct on (quarantine_id) worded.*
from worded
anti join staged.lake_quarantine as known using (quarantine_id)
order by quarantine_id
