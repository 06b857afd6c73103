-- What company scores are ranked by, as far as it comes from statements. One row per company and known_at, the acceptance of a filing. More is better in each:
-- accruals and net debt stand with their sign turned. null where a part is missing or the ratio says nothing (denominators that are not positive).
select
    cik,
    known_at,
    window_end,
    earnings / if(common_equity > 0, common_equity, null) as return_on_equity,
    gross_profit / if(total_assets > 0, total_assets, null) as gross_profitability,
    (operating_cash_flow - earnings) / if(total_assets > 0, total_assets, null) as accruals_inverted,
    revenue / if(revenue_year_ago > 0, revenue_year_ago, null) - 1 as revenue_growth,
    eps / if(eps_year_ago > 0, eps_year_ago, null) - 1 as eps_growth,
    (cash - debt) / if(ebit + depreciation_and_amortization > 0, ebit + depreciation_and_amortization, null) as net_debt_to_ebitda_inverted,
    ebit / if(interest_expense > 0, interest_expense, null) as interest_cover,
    current_assets / if(current_liabilities > 0, current_liabilities, null) as current_ratio,
from intermediate.company_fundamentals
order by cik, known_at
