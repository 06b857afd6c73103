-- The thirteen trailing multiples of every valuation. Grain: slug x entity x period x observed_at. value is null with its reason where a part is missing
-- (insufficient_data), the denominator of a ratio is not positive (not_meaningful), the newest figures are older than 185 days
-- (stale_fundamentals), price, shares and earnings a share may lie on either side of a split that is not listed (unlisted_split), or the multiple says nothing
-- of banks and insurers (not_applicable). A part that contradicts itself is missing, and metadata says why.
with

priced as (
    select *, eps is null and not map_contains(contradictions, 'eps_diluted') as is_without_eps
    from valuations.stated_valuations
),

listed as (
    select
        priced.*,
        -- Without diluted earnings a share, market capitalisation over earnings.
        100 * (eps / nullif(eps_year_ago, 0) - 1) as growth,
        unnest([
            {slug: 'price_to_earnings', over: if(is_without_eps, market_cap, close), under: if(is_without_eps, earnings, eps), parts: if(is_without_eps, ['earnings'], ['eps_diluted']), is_yield: false, spares_banks: false},
            {slug: 'price_to_book', over: market_cap, under: common_equity, parts: ['equity', 'total_equity', 'noncontrolling', 'preferred'], is_yield: false, spares_banks: false},
            {slug: 'price_to_sales', over: market_cap, under: revenue, parts: ['revenue'], is_yield: false, spares_banks: true},
            {slug: 'price_to_free_cash_flow', over: market_cap, under: free_cash_flow, parts: ['operating_cash_flow', 'capital_expenditure'], is_yield: false, spares_banks: true},
            {slug: 'price_to_operating_cash_flow', over: market_cap, under: operating_cash_flow, parts: ['operating_cash_flow'], is_yield: false, spares_banks: true},
            {slug: 'ev_to_ebitda', over: enterprise_value, under: ebit + depreciation_and_amortization, parts: ['ebit', 'depreciation_and_amortization', 'depreciation', 'amortization', 'net_debt'], is_yield: false, spares_banks: true},
            {slug: 'ev_to_ebit', over: enterprise_value, under: ebit, parts: ['ebit', 'net_debt'], is_yield: false, spares_banks: true},
            {slug: 'ev_to_sales', over: enterprise_value, under: revenue, parts: ['revenue', 'net_debt'], is_yield: false, spares_banks: true},
            {slug: 'ev_to_free_cash_flow', over: enterprise_value, under: free_cash_flow, parts: ['operating_cash_flow', 'capital_expenditure', 'net_debt'], is_yield: false, spares_banks: true},
            {slug: 'earnings_yield', over: if(is_without_eps, earnings, eps), under: if(is_without_eps, market_cap, close), parts: if(is_without_eps, ['earnings'], ['eps_diluted']), is_yield: true, spares_banks: false},
            {slug: 'free_cash_flow_yield', over: free_cash_flow, under: market_cap, parts: ['operating_cash_flow', 'capital_expenditure'], is_yield: true, spares_banks: true},
            {slug: 'dividend_yield', over: dividends, under: market_cap, parts: ['common_dividends', 'dividends', 'preferred_dividends_paid'], is_yield: true, spares_banks: false},
            {slug: 'peg', over: close / nullif(eps, 0), under: growth, parts: ['eps_diluted'], is_yield: false, spares_banks: false}
        ], recursive := true),
    from priced
),

parted as (
    select
        * exclude (parts),
        if(list_contains(parts, 'earnings'), ['net_income_to_common', 'net_income', 'preferred_dividends', 'profit_loss', 'noncontrolling_share'], parts)
            || if(list_contains(parts, 'ebit'), ['operating_income', 'pretax_income', 'interest_expense'], [])
            || if(list_contains(parts, 'net_debt'), ['noncurrent_debt', 'current_debt', 'current_part_of_debt', 'short_term_borrowings', 'commercial_paper', 'long_term_debt',
                'noncurrent_debt_and_leases', 'finance_leases_noncurrent', 'finance_leases_current', 'preferred', 'noncontrolling', 'cash', 'short_term_investments'], []) as parts,
    from listed
),

judged as (
    select
        *,
        case
            when slug = 'peg' then growth_in_doubt
            when slug in ('price_to_earnings', 'earnings_yield') and not is_without_eps then eps_in_doubt
            else unlisted_split
        end as split,
        case
            when is_financial and spares_banks then 'not_applicable'
            when is_stale then 'stale_fundamentals'
            when split is not null then 'unlisted_split'
            when slug = 'peg' and (eps <= 0 or eps_year_ago <= 0) then 'not_meaningful'
            when "over" is null or under is null then 'insufficient_data'
            when under <= 0 or (starts_with(slug, 'ev_') and "over" <= 0) or (slug = 'peg' and growth < 1) then 'not_meaningful'
        end as reason,
        reason is distinct from 'unlisted_split' as is_known,
        flatten([coalesce(refs[part], []) for part in parts])
            || if(slug = 'peg', coalesce(year_ago_refs['eps_diluted'], []), [])
            || if((slug in ('price_to_earnings', 'earnings_yield') and not is_without_eps) or slug = 'peg', [], [shares_ref]) as facts,
        if(
            cardinality(contradictions) = 0,
            [],
            [entry for entry in map_entries(contradictions) if list_contains(parts || if(slug = 'peg', ['eps_diluted_year_ago'], []), entry.key)]
        ) as contradicted,
    from parted
)

select
    slug,
    source_id,
    entity_id,
    period,
    period_start,
    period_end,
    if(reason is null, "over" / under, null) as value,
    reason,
    json_object(
        'price', close,
        'adjustedClose', adjusted_close,
        'shares', shares,
        'sharesAsOf', shares_date,
        'marketCap', if(is_known, market_cap, null),
        'enterpriseValue', if(is_known and starts_with(slug, 'ev_'), enterprise_value, null),
        'numerator', if(is_known, "over", null),
        'denominator', if(is_known, under, null),
        'windowEnd', window_end,
        'balanceDate', balance_date,
        'growthBasis', if(slug = 'peg', 'ttm_eps_yoy', null),
        'reason', reason,
        'contradictions', if(reason = 'insufficient_data' and len(contradicted) > 0, to_json(map_from_entries(contradicted)), null),
        'unlistedSplit', if(is_known, null, {kind: split.kind, ratio: split.share_ratio, after: split.not_before, "by": split.by_date, evidence: split.evidence}),
        'facts', list_filter(list_distinct(facts), ref -> ref is not null).list_sort()
    )::varchar as metadata,
    observed_at,
    released_at,
    retrieved_at,
    ingested_at,
    change_sequence,
    input_series_no,
    inputs,
    run_id,
from judged
