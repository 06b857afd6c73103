-- Company figures from filings over time, by the fields of company_figures.csv. One row per field, company and change
-- of the figure or its period. [known_from, known_to) is the interval in which the newest statements gave it. No row
-- while they give none. Amounts are in US dollars. Companies that report in another currency have none, because levels
-- in two currencies are not comparable.
with

moments as (
    select cik, known_at from valuations.company_fundamentals
    union
    select cik, known_at from valuations.balance_sheets
    union
    select cik, known_at from valuations.share_counts
),

measured as (
    select
        cik,
        known_at,
        currencies.currency,
        { flow: flows.window_end, balance: sheets.balance_date, share_count: counts.shares_date } as period_ends,
        map {
            'cash': sheets.cash,
            'current_assets': sheets.current_assets,
            'current_liabilities': sheets.current_liabilities,
            'debt': sheets.debt,
            'eps_growth': 100 * inputs.eps_growth,
            'equity': sheets.equity,
            'free_cash_flow': flows.free_cash_flow,
            'gross_profit': flows.gross_profit,
            'net_income': flows.net_income,
            'net_income_growth': 100 * (flows.net_income / if(flows.net_income_year_ago > 0, flows.net_income_year_ago, null) - 1),
            'operating_cash_flow': flows.operating_cash_flow,
            'operating_income': flows.operating_income,
            'operating_income_growth':
            100 * (flows.operating_income / if(flows.operating_income_year_ago > 0, flows.operating_income_year_ago, null) - 1),
            'revenue': flows.revenue,
            'revenue_growth': 100 * inputs.revenue_growth,
            'shares_outstanding': counts.shares,
            'total_assets': sheets.total_assets,
            'total_liabilities': sheets.total_liabilities
        } as amounts,
    from moments
    left join valuations.company_fundamentals as flows using (cik, known_at)
    left join valuations.score_inputs as inputs using (cik, known_at)
    left join valuations.balance_sheets as sheets using (cik, known_at)
    left join valuations.share_counts as counts using (cik, known_at)
    asof left join filings.reporting_currencies as currencies on currencies.cik = moments.cik and currencies.known_from <= moments.known_at
),

listed as (
    select
        figures.field,
        measured.cik,
        measured.known_at,
        case figures.kind
            when 'flow' then period_ends.flow
            when 'balance' then period_ends.balance
            when 'share_count' then period_ends.share_count
        end as figure_end,
        if(
            map_contains(amounts, figures.field),
            if(figures.unit = 'usd' and currency != 'USD', null, amounts[figures.field]),
            error(figures.field || ' is a figure of which no amount is known')
        ) as value,
    from measured
    cross join reference.company_figures as figures
    where figures.kind != 'score'
),

changed as (
    select field, cik, known_at, value, if(value is null, null, figure_end) as period_end
    from listed
    window filings as (partition by field, cik order by known_at)
    qualify
        row_number() over filings = 1
        or value is distinct from lag(value) over filings
        or period_end is distinct from lag(period_end) over filings
),

held as (
    select *, lead(known_at) over (partition by field, cik order by known_at) as known_to
    from changed
)

select field, 'company_' || cik as entity_id, period_end, value, known_at as known_from, known_to
from held
where value is not null
order by field, entity_id, known_from
