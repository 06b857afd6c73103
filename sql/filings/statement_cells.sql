-- The figures of statements in each filing: those stated, and those computed from them. One row per cik,
-- accession_number, observed_at, statement_type, period_type, period_start, period_end and key. A computed figure never
-- replaces a stated one, and twelve months that contradict their quarters are left out. If no filing tags gross profit,
-- it is revenue less its cost, if one filing has both. derivation: `none` for stated figures.
with

reported as (
    select
        cik,
        accession_number,
        observed_at,
        form,
        filed,
        accepted_at,
        currency,
        statement_type,
        case
            when statement_type = 'balance_sheet' then 'instant'
            when period_end - period_start between 70 and 120 then 'quarterly'
            when period_end - period_start between 140 and 329 then 'ytd'
            when period_end - period_start between 330 and 420 then 'annual'
        end as period_type,
        period_start,
        period_end,
        key,
        'none' as derivation,
        {
            key: key, label: label, value: value, unit: unit, concept: concept, decimals: null::integer, quality: 'reported',
            fact_refs: [fact_ref], share_basis: share_basis
        } as line,
    from filings.statement_facts
    where is_in_part(cik) and period_type is not null
),

first_reported as (
    select cik, statement_type, period_type, period_start, period_end, key, min(observed_at) as reported_at
    from reported
    group by all
),

derived as (
    select
        derivations.cik,
        newest.accession_number as accession_number,
        derivations.observed_at,
        newest.form as form,
        newest.filed as filed,
        newest.accepted_at as accepted_at,
        newest.currency as currency,
        derivations.statement_type,
        derivations.period_type,
        derivations.period_start,
        derivations.period_end,
        derivations.key,
        derivation,
        {
            key: derivations.key, label: label, value: value, unit: unit, concept: concept, decimals: null::integer,
            quality: if(derivation = 'none', 'reported', 'derived'), fact_refs: fact_refs, share_basis: newest_basis
        } as line,
    from filings.statement_derivations as derivations
    left join first_reported using (cik, statement_type, period_type, period_start, period_end, key)
    where
        is_in_part(derivations.cik)
        and (reported_at is null or reported_at > derivations.observed_at)
        and not exists (
            from filings.trailing_reconciliations as checked
            where
                (checked.cik, checked.statement_type, checked.key, checked.period_start, checked.period_end, checked.observed_at)
                = (
                    derivations.cik,
                    derivations.statement_type,
                    derivations.key,
                    derivations.period_start,
                    derivations.period_end,
                    derivations.observed_at
                )
                and derivations.derivation = 'ttm_roll'
                and not checked.is_reconciled
        )
),

stated as (
    select distinct on (cik, accession_number, observed_at, statement_type, period_type, period_start, period_end, key) *
    from (
        from reported
        union all by name
        from derived
    )
    order by cik, accession_number, observed_at, statement_type, period_type, period_start, period_end, key, derivation, line.fact_refs
),

first_gross_profits as (
    select cik, statement_type, period_type, period_start, period_end, min(observed_at) as stated_at
    from stated
    where key = 'grossProfit'
    group by all
),

gross_profits as (
    select
        revenue.* replace (
            'grossProfit' as key,
            {
                key: 'grossProfit',
                label: 'Gross profit',
                value: revenue.line.value - cost.line.value,
                unit: revenue.line.unit,
                concept: 'GrossProfit',
                decimals: null::integer,
                quality: 'derived',
                fact_refs: list_concat(revenue.line.fact_refs, cost.line.fact_refs),
                share_basis: null::double
            } as line
        ),
    from stated as revenue
    inner join stated as cost using (cik, accession_number, observed_at, statement_type, period_type, period_start, period_end)
    left join first_gross_profits as tagged using (cik, statement_type, period_type, period_start, period_end)
    where
        revenue.key = 'revenue'
        and cost.key = 'costOfRevenue'
        and revenue.line.unit = cost.line.unit
        and (tagged.stated_at is null or tagged.stated_at > revenue.observed_at)
)

from stated
union all by name
from gross_profits
