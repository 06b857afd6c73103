-- The filings that brought a statement complete enough to contain its result, its assets or a total of its cash flows,
-- and those that state or change a figure of a period that was complete before, in the same currency. One row per cik,
-- accession_number, observed_at, statement_type, period_type, period_start and period_end. corrected_at: the time at
-- which a later payload changed the same filing; null otherwise.
with

statements as (
    select
        cik,
        statement_type,
        period_type,
        period_start,
        period_end,
        accession_number,
        observed_at,
        min(form) as form,
        min(filed) as filed,
        min(accepted_at) as accepted_at,
        min(currency) as currency,
        bool_or(key in ('netIncome', 'profitLoss', 'totalAssets', 'operatingCashFlow', 'investingCashFlow', 'financingCashFlow')) as is_whole,
    from filings.statement_cells
    where is_in_part(cik)
    group by all
),

-- Twelve months at the end of a year have only the figures that the filing changes. They are as complete as its year.
years as (
    select
        * exclude (is_whole),
        bool_or(is_whole) over (
            partition by cik, statement_type, period_start, period_end, accession_number, observed_at, period_type in ('annual', 'ttm')
        ) as is_whole,
    from statements
),

whole as (
    select *
    from years
    qualify
        is_whole
        or currency = last(if(is_whole, currency, null) ignore nulls) over (
            partition by cik, statement_type, period_type, period_start, period_end order by observed_at, accession_number
        )
)

select
    *,
    if(
        row_number() over (partition by cik, accession_number, statement_type, period_type, period_start, period_end order by observed_at) > 1,
        epoch_us(observed_at),
        null
    ) as corrected_at,
from whole
order by cik, period_end, statement_type, period_start nulls first, period_type, observed_at, accession_number
