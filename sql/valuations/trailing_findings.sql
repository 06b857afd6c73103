-- Trailing twelve months of the multiples that contradict themselves, as findings in quarantine, without those of
-- statement_findings. One row per quarantine_id, from the first filing after which they did.
with

contradicted as (
    select distinct on (cik, metric, concept, window_end, value, contradiction) *
    from valuations.trailing_values
    where contradiction is not null
    order by cik, metric, concept, window_end, value, contradiction, known_at, lag
),

told as (
    select distinct checked.cik, checked.period_end, concepts.metric, checked.concept
    from filings.trailing_reconciliations as checked
    inner join valuations.multiple_concepts as concepts using (concept)
    where checked.derivation = 'ttm_roll' and not checked.is_reconciled
)

select
    'qrn_'
    || left(sha256(concat_ws('|', 'sec', cik, 'multiples', metric, concept, window_end, epoch_us(known_at), contradiction, value)), 26)
        as quarantine_id,
    'sec' as source_id,
    'reconciliation_failed' as rule,
    '1' as rule_version,
    'block' as severity,
    if(
        contradiction = 'scope_changed',
        'A later filing restated the fiscal year or one of the two years to date, but not all three. They cover different parts '
        || 'of the company, so no multiple is made of twelve months computed from them.',
        'Twelve months computed from the fiscal year and the year to date differ by more than 0.5 percent '
        || 'from the sum of their four quarters, so no multiple is made of them.'
    ) as reason,
    'company_' || cik as entity_id,
    if(
        concept = 'any',
        null,
        (
            select max(facts.taxonomy) from filings.statement_facts as facts
            where (facts.cik, facts.concept) = (contradicted.cik, contradicted.concept)
        )
        || ':' || concept
    ) as series_code,
    strftime(window_end, '%Y-%m-%d') as period,
    'multiples.' || metric as field_path,
    value::varchar as observed_value,
    if(
        contradiction = 'quarters_disagree',
        json_object('sumOfQuarters', sum_of_quarters, 'tolerance', 0.005),
        json_object('recastBy', recasts, 'tolerance', 0.005)
    )::varchar as expected,
    payload_id,
    run_id,
    ingested_at as detected_at,
from contradicted
where not exists (
    from told
    where
        (told.cik, told.period_end, told.metric) = (contradicted.cik, contradicted.window_end, contradicted.metric)
        and contradicted.concept in ('any', told.concept)
)
