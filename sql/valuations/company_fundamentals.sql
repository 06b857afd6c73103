-- The inputs of multiples and scores, in the reporting currency of that time, as known after each filing. One row per
-- company and known_at, valid until known_to. Flows are trailing twelve months that end with window_end, balances those
-- of balance_date; null if not known for these.
with

windows as (
    select cik, known_at, max(window_end) as window_end from valuations.trailing_values
    where is_in_part(cik) and lag = 0
    group by all
),

flows as (
    select
        ends.cik,
        ends.known_at,
        windows.window_end,
        map_from_entries(list((metric, if(contradiction is null, value, null)) order by metric) filter (where lag = 0)) as ttm,
        map_from_entries(list((metric, if(contradiction is null, value, null)) order by metric) filter (where lag = 1)) as year_ago,
        map_from_entries(
            list((metric || if(lag = 1, '_year_ago', ''), contradiction) order by lag, metric) filter (where contradiction is not null)
        ) as contradictions,
        map_from_entries(list((metric, fact_refs) order by metric) filter (where lag = 0)) as refs,
        map_from_entries(list((metric, fact_refs) order by metric) filter (where lag = 1)) as year_ago_refs,
        min(since) filter (where metric = 'eps_diluted' and lag = 0) as eps_since,
        min(since) filter (where metric = 'eps_diluted' and lag = 1) as eps_year_ago_since,
        max(retrieved_at) as retrieved_at,
        max(ingested_at) as ingested_at,
        max(change_sequence) as change_sequence,
        max_by(run_id, (retrieved_at, run_id)) as run_id,
    from valuations.trailing_values as ends
    inner join windows using (cik, known_at)
    where is_in_part(ends.cik) and abs(ends.window_end - (windows.window_end - to_years(lag))::date) <= 10
    group by all
)

select
    flows.cik,
    flows.known_at,
    lead(flows.known_at) over (partition by flows.cik order by flows.known_at) as known_to,
    currencies.currency,
    flows.window_end,
    balances.balance_date,
    ttm['revenue'] as revenue,
    year_ago['revenue'] as revenue_year_ago,
    ttm['gross_profit'] as gross_profit,
    case
        when map_contains(ttm, 'net_income_to_common') then ttm['net_income_to_common']
        when map_contains(ttm, 'net_income') then ttm['net_income'] - if(map_contains(ttm, 'preferred_dividends'), ttm['preferred_dividends'], 0)
        else ttm['profit_loss'] - if(map_contains(ttm, 'noncontrolling_share'), ttm['noncontrolling_share'], 0)
    end as earnings,
    if(
        map_contains(ttm, 'net_income'),
        ttm['net_income'],
        ttm['profit_loss'] - if(map_contains(ttm, 'noncontrolling_share'), ttm['noncontrolling_share'], 0)
    ) as net_income,
    if(
        map_contains(year_ago, 'net_income'),
        year_ago['net_income'],
        year_ago['profit_loss'] - if(map_contains(year_ago, 'noncontrolling_share'), year_ago['noncontrolling_share'], 0)
    ) as net_income_year_ago,
    ttm['operating_income'] as operating_income,
    year_ago['operating_income'] as operating_income_year_ago,
    ttm['eps_diluted'] as eps,
    year_ago['eps_diluted'] as eps_year_ago,
    flows.eps_since,
    flows.eps_year_ago_since,
    ttm['interest_expense'] as interest_expense,
    if(map_contains(ttm, 'operating_income'), ttm['operating_income'], ttm['pretax_income'] + ttm['interest_expense']) as ebit,
    if(
        map_contains(ttm, 'depreciation_and_amortization'),
        ttm['depreciation_and_amortization'],
        ttm['depreciation'] + ttm['amortization']
    ) as depreciation_and_amortization,
    ttm['operating_cash_flow'] as operating_cash_flow,
    ttm['operating_cash_flow'] - ttm['capital_expenditure'] as free_cash_flow,
    if(
        map_contains(ttm, 'common_dividends'),
        ttm['common_dividends'],
        ttm['dividends'] - if(map_contains(ttm, 'preferred_dividends_paid'), ttm['preferred_dividends_paid'], 0)
    ) as dividends,
    balances.common_equity,
    coalesce(balances.preferred, 0) as preferred,
    coalesce(balances.noncontrolling, 0) as noncontrolling,
    balances.debt,
    balances.cash,
    balances.total_assets,
    balances.current_assets,
    -- Banks, brokers and insurers do not divide their balance sheets into current and other.
    coalesce(balances.total_assets is not null and balances.current_assets is null, false) as is_undivided,
    balances.current_liabilities,
    shares.shares,
    shares.shares_date,
    shares.shares_ref,
    coalesce(shares.is_uncertain, false) as is_share_count_uncertain,
    shares.witnesses as share_witnesses,
    map_concat(flows.refs, balances.refs) as refs,
    flows.year_ago_refs,
    coalesce(flows.contradictions, map([]::varchar[], []::varchar[])) as contradictions,
    flows.retrieved_at,
    flows.ingested_at,
    flows.change_sequence,
    flows.run_id,
from flows
left join valuations.balance_sheets as balances using (cik, known_at)
left join valuations.share_counts as shares using (cik, known_at)
asof left join filings.reporting_currencies as currencies on currencies.cik = flows.cik and currencies.known_from <= flows.known_at
order by flows.cik, flows.known_at
