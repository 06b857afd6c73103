-- Figures of statements that contradict each other, as findings in quarantine. One row per quarantine_id: trailing
-- twelve months that differ from the sum of their quarters or have inputs of different scope (dropped if computed, kept
-- if a filing states the year), and revenue that is not its cost plus gross profit.
with

twelve_months as (
    select
        checked.cik,
        checked.statement_type,
        checked.key,
        checked.period_start,
        checked.period_end,
        checked.observed_at,
        derivations.newest.taxonomy as taxonomy,
        checked.concept,
        if(checked.derivation = 'ttm_roll', 'block', 'warn') as severity,
        case
            when checked.derivation != 'ttm_roll' then 'The fiscal year differs by more than 0.5 percent from the sum of its four quarters.'
            when checked.is_of_one_scope
                then
                    'Twelve months computed from the fiscal year and the year to date differ by more than 0.5 percent '
                    || 'from the sum of their four quarters, so they are left out.'
            else
                'A later filing restated the fiscal year or one of the two years to date, but not all three. They cover different '
                || 'parts of the company, so twelve months computed from them are left out.'
        end as reason,
        checked.value,
        if(
            checked.is_of_one_scope,
            json_object('sumOfQuarters', checked.sum_of_quarters, 'tolerance', 0.005),
            -- Quarters that add up to it have the same two scopes. They are named only if they contradict it too.
            json_merge_patch(
                json_object('recastBy', checked.recasts, 'tolerance', 0.005),
                if(checked.is_near_sum, '{}'::json, json_object('sumOfQuarters', checked.sum_of_quarters))
            )
        )::varchar as expected,
        derivations.newest.payload_id as payload_id,
        derivations.newest.run_id as run_id,
        derivations.newest.ingested_at as ingested_at,
    from filings.trailing_reconciliations as checked
    inner join filings.statement_derivations as derivations
        using (cik, statement_type, key, period_start, period_end, observed_at, derivation)
    where not checked.is_reconciled and derivations.period_type = 'ttm'
),

totals as (
    select
        revenue.cik,
        revenue.statement_type,
        revenue.key,
        revenue.period_start,
        revenue.period_end,
        revenue.observed_at,
        revenue.taxonomy,
        revenue.concept,
        'warn' as severity,
        'Revenue differs by more than 1 percent from cost of revenue plus gross profit in ' || revenue.accession_number || '.' as reason,
        revenue.value,
        json_object('costOfRevenue', cost.value, 'grossProfit', gross.value, 'tolerance', 0.01)::varchar as expected,
        revenue.payload_id,
        revenue.run_id,
        revenue.ingested_at,
    from filings.statement_facts as revenue
    inner join filings.statement_facts as cost using (cik, accession_number, observed_at, period_start, period_end)
    inner join filings.statement_facts as gross using (cik, accession_number, observed_at, period_start, period_end)
    where
        revenue.key = 'revenue'
        and cost.key = 'costOfRevenue'
        and gross.key = 'grossProfit'
        and abs(cost.value + gross.value - revenue.value) > 0.01 * abs(revenue.value)
)

select
    'qrn_'
    || left(sha256(concat_ws('|', 'sec', cik, statement_type, key, period_start, period_end, epoch_us(observed_at), severity, value, expected)), 26)
        as quarantine_id,
    'sec' as source_id,
    'reconciliation_failed' as rule,
    '1' as rule_version,
    severity,
    reason,
    'company_' || cik as entity_id,
    taxonomy || ':' || concept as series_code,
    strftime(period_end, '%Y-%m-%d') as period,
    statement_type || '.' || key as field_path,
    value::varchar as observed_value,
    expected,
    payload_id,
    run_id,
    ingested_at as detected_at,
from (
    from twelve_months
    union all by name
    from totals
)
