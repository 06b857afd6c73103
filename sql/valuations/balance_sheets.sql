-- Balance sheets of companies, in the reporting currency of that time, as known after each filing: the newest one with
-- equity. One row per company and known_at. Lines that appear only if there is an amount (preferred stock,
-- noncontrolling interest, short-term investments, parts of debt besides others) are 0 when absent. Preferred stock
-- counts for one more quarter, because an annual report may state it only by class (Procter & Gamble).
with

balance_dates as (
    select cik, known_at, max(period_end) as balance_date from valuations.trailing_facts
    where is_in_part(cik) and metric in ('equity', 'total_equity')
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
            is_in_part(facts.cik)
            and facts.period_start is null and metric not in ('shares_cover', 'shares_balance')
            and facts.period_end between if(metric = 'preferred', balance_date - 100, balance_date) and balance_date
        order by cik, known_at, metric, facts.period_end desc, rank, fact_ref
    )
    group by all
)

select
    cik,
    known_at,
    balance_date,
    -- A company may state its equity only including the share of others (Procter & Gamble).
    coalesce(balance['equity'], balance['total_equity'] - coalesce(balance['noncontrolling'], 0)) as equity,
    equity - coalesce(balance['preferred'], 0) as common_equity,
    coalesce(balance['preferred'], 0) as preferred,
    coalesce(balance['noncontrolling'], 0) as noncontrolling,
    coalesce(
        balance['current_debt'],
        coalesce(balance['current_part_of_debt'], 0) + coalesce(balance['short_term_borrowings'], balance['commercial_paper'], 0)
    ) as debt_due,
    coalesce(balance['finance_leases_noncurrent'], 0) + coalesce(balance['finance_leases_current'], 0) as finance_leases,
    -- The last one is for companies that state long-term debt and finance leases in one sum (Kimberly-Clark).
    coalesce(
        balance['noncurrent_debt'] + debt_due + finance_leases,
        balance['long_term_debt'] + coalesce(balance['short_term_borrowings'], 0) + finance_leases,
        balance['noncurrent_debt_and_leases'] + debt_due
    ) as debt,
    balance['cash'] + coalesce(balance['short_term_investments'], 0) as cash,
    balance['total_assets'] as total_assets,
    balance['total_liabilities'] as total_liabilities,
    balance['current_assets'] as current_assets,
    balance['current_liabilities'] as current_liabilities,
    refs,
from balances
order by cik, known_at
