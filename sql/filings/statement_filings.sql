-- The filings that brought a statement, with its place in the fiscal year: whole enough to hold its result, its assets or its operating cash flow, or
-- a change of what follows for a period that was whole before. One row per cik, accession_number, observed_at, statement_type, period_type,
-- period_start and period_end. corrected_at: the moment, where a later payload stated the same filing otherwise; null otherwise.
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
        bool_or(key in ('netIncome', 'profitLoss', 'totalAssets', 'operatingCashFlow')) as is_whole,
        bool_or(period_type = 'ttm' or derivation != 'none') as is_deriving,
    from filings.statement_cells
    where is_in_part(cik)
    group by all
),

whole as (
    select *
    from statements
    qualify
        is_whole
        or (
            is_deriving
            and min(if(is_whole, observed_at, null)) over (partition by cik, statement_type, period_type, period_start, period_end) < observed_at
        )
),

-- A 52/53-week year may end some days beside its nominal end: half a month of tolerance.
ends as (
    select
        whole.*,
        period_end - 15 as shifted_end,
        fiscal_year_end,
        (year(shifted_end) + if(strftime(shifted_end, '%m%d') > fiscal_year_end, 1, 0))::integer as fiscal_year,
        last_day(make_date(fiscal_year, left(fiscal_year_end, 2)::integer, 1)) as year_end,
        greatest(1, least(4, 4 - round((year_end - period_end) / 91.3)))::integer as quarter,
    from whole
    inner join filings.filers using (cik)
    where fiscal_year_end is not null
),

placed as (
    select
        *,
        case
            when period_type = 'ttm' then 'TTM'
            when period_type = 'annual' or (period_type = 'instant' and quarter = 4) then 'FY'
            when period_type in ('quarterly', 'instant') then 'Q' || quarter
            when period_end - period_start between 140 and 229 and quarter = 2 then 'H1'
            when period_end - period_start between 230 and 329 and quarter = 3 then '9M'
        end as fiscal_period,
    from ends
    where fiscal_period is not null
)

select
    * exclude (is_whole, is_deriving, shifted_end, fiscal_year_end, year_end, quarter),
    if(
        row_number() over (partition by cik, accession_number, statement_type, period_type, period_start, period_end order by observed_at) > 1,
        epoch_us(observed_at),
        null
    ) as corrected_at,
from placed
order by cik, period_end, statement_type, period_start nulls first, period_type, observed_at, accession_number
