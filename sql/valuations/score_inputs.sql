-- What company scores are ranked by, as far as it comes from statements. One row per company and known_at, the acceptance of a filing. More is better
-- in each:
-- accruals and net debt stand with their sign turned. null where a part is missing, the ratio says nothing (denominators that are not positive) or
-- earnings a share lie on either side of a split that is not listed.
select
    cik,
    known_at,
    window_end,
    is_undivided,
    earnings / if(common_equity > 0, common_equity, null) as return_on_equity,
    gross_profit / if(total_assets > 0, total_assets, null) as gross_profitability,
    (operating_cash_flow - earnings) / if(total_assets > 0, total_assets, null) as accruals_inverted,
    revenue / if(revenue_year_ago > 0, revenue_year_ago, null) - 1 as revenue_growth,
    if(is_across_a_split, null, eps / if(eps_year_ago > 0, eps_year_ago, null) - 1) as eps_growth,
    (cash - debt) / if(ebit + depreciation_and_amortization > 0, ebit + depreciation_and_amortization, null) as net_debt_to_ebitda_inverted,
    ebit / if(interest_expense > 0, interest_expense, null) as interest_cover,
    current_assets / if(current_liabilities > 0, current_liabilities, null) as current_ratio,
from (
    select
        fundamentals.*,
        exists(
            select *
            from splits.unlisted_splits as splits
            where
                splits.cik = fundamentals.cik and splits.known_at <= fundamentals.known_at and least(eps_since, eps_year_ago_since) < splits.by_date
                and (refutation is null or refutation.known_at > fundamentals.known_at)
        ) as is_across_a_split,
    from valuations.company_fundamentals as fundamentals
)
order by cik, known_at
