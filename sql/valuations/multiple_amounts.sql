-- The possible amounts of trailing multiples by their names in derived_indicators.csv, from the newest filings known on
-- the day of the price, and the statement parts of each besides price and shares. Grain: that of
-- valuations.stated_valuations.
select
    *,
    -- Without diluted earnings per share: market capitalisation over earnings.
    eps is null and not map_contains(contradictions, 'eps_diluted') as is_without_eps,
    map {
        'price': if(is_without_eps, market_cap, close / shares_a_unit),
        'earnings_per_share': if(is_without_eps, earnings, eps),
        'market_cap': market_cap,
        'enterprise_value': enterprise_value,
        'common_equity': common_equity,
        'revenue': revenue,
        'operating_cash_flow': operating_cash_flow,
        'free_cash_flow': free_cash_flow,
        'ebitda': ebit + depreciation_and_amortization,
        'ebit': ebit,
        'dividends': dividends,
        'price_to_earnings': close / shares_a_unit / nullif(eps, 0),
        'earnings_growth': 100 * (eps / nullif(eps_year_ago, 0) - 1)
    } as amounts,
    map {
        'price': [],
        'market_cap': [],
        'enterprise_value': ['net_debt'],
        'earnings_per_share': if(is_without_eps, ['earnings'], ['eps_diluted']),
        'common_equity': ['equity', 'total_equity', 'noncontrolling', 'preferred'],
        'revenue': ['revenue'],
        'operating_cash_flow': ['operating_cash_flow'],
        'free_cash_flow': ['operating_cash_flow', 'capital_expenditure'],
        'ebitda': ['ebit', 'depreciation_and_amortization', 'depreciation', 'amortization'],
        'ebit': ['ebit'],
        'dividends': ['common_dividends', 'dividends', 'preferred_dividends_paid'],
        'price_to_earnings': ['eps_diluted'],
        'earnings_growth': []
    } as parts_of,
from valuations.stated_valuations
