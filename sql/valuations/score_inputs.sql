-- The inputs of company scores from statements. One row per company and known_at, the acceptance of a filing. More is
-- better in each: accruals and net debt have their sign reversed. null if a part is missing, if the ratio is not
-- meaningful (its denominator is not positive), or if earnings per share lie on both sides of an unlisted split.
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
