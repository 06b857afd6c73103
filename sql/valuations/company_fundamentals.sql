-- What the multiples and scores are made of, in US dollars, as known after each filing. One row per company and known_at, valid until known_to. Flows
-- are trailing twelve months that end with window_end, balances those of balance_date; what is not known for these is null. Lines that exist only
-- where there is something to state (preferred stock, noncontrolling interest, short-term investments, parts of debt beside others) are 0 when
-- absent. Preferred stock counts for a quarter more: an annual report may state it by class alone (Procter & Gamble).
with

windows as (
    select cik, known_at, max(window_end) as window_end from valuations.trailing_values
    where lag = 0
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
    where abs(ends.window_end - (windows.window_end - to_years(lag))::date) <= 10
    group by all
),

balance_dates as (
    select cik, known_at, max(period_end) as balance_date from valuations.trailing_facts
    where metric in ('equity', 'total_equity')
    group by all
),

balances as (
    select
        cik,
        known_at,
        balance_date,
        map_from_entries(list((metric, value) order by metric)) as balance,
        map_from_entries(list((metric, [fact_ref]) order by metric)) as refs
    from (
        select distinct on (cik, known_at, metric) facts.*, balance_dates.balance_date
        from valuations.trailing_facts as facts
        inner join balance_dates using (cik, known_at)
        where
            facts.period_start is null and metric not in ('shares_cover', 'shares_balance')
            and facts.period_end between if(metric = 'preferred', balance_date - 100, balance_date) and balance_date
        order by cik, known_at, metric, facts.period_end desc, rank, fact_ref
    )
    group by all
)

select
    flows.cik,
    flows.known_at,
    lead(flows.known_at) over (partition by flows.cik order by flows.known_at) as known_to,
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
    -- A company may state its equity with the share of others alone (Procter & Gamble).
    coalesce(balance['equity'], balance['total_equity'] - coalesce(balance['noncontrolling'], 0))
    - coalesce(balance['preferred'], 0) as common_equity,
    coalesce(balance['preferred'], 0) as preferred,
    coalesce(balance['noncontrolling'], 0) as noncontrolling,
    coalesce(
        balance['current_debt'],
        coalesce(balance['current_part_of_debt'], 0) + coalesce(balance['short_term_borrowings'], balance['commercial_paper'], 0)
    ) as debt_due,
    coalesce(balance['finance_leases_noncurrent'], 0) + coalesce(balance['finance_leases_current'], 0) as finance_leases,
    -- The last is of companies that state long-term debt and finance leases in one sum (Kimberly-Clark).
    coalesce(
        balance['noncurrent_debt'] + debt_due + finance_leases,
        balance['long_term_debt'] + coalesce(balance['short_term_borrowings'], 0) + finance_leases,
        balance['noncurrent_debt_and_leases'] + debt_due
    ) as debt,
    balance['cash'] + coalesce(balance['short_term_investments'], 0) as cash,
    balance['total_assets'] as total_assets,
    balance['current_assets'] as current_assets,
    -- Banks, brokers and insurers do not divide their balance sheets into current and other.
    coalesce(total_assets is not null and current_assets is null, false) as is_undivided,
    balance['current_liabilities'] as current_liabilities,
    shares.shares,
    shares.shares_date,
    shares.shares_ref,
    map_concat(flows.refs, balances.refs) as refs,
    flows.year_ago_refs,
    coalesce(flows.contradictions, map([]::varchar[], []::varchar[])) as contradictions,
    flows.retrieved_at,
    flows.ingested_at,
    flows.change_sequence,
    flows.run_id,
from flows
left join balances using (cik, known_at)
left join valuations.share_counts as shares using (cik, known_at)
order by flows.cik, flows.known_at
