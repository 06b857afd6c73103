-- Knowledge of the ends of a filer's fiscal years over time. One row per cik, known_from and fact: year_end from an
-- annual report, listed_end from the submissions file at its retrieval, interim_end from the year to date of an interim
-- report.
select cik, known_from, year_end, null::date as listed_end, null::date as interim_end
from filings.fiscal_year_ends
where is_in_part(cik)
union all
select cik, observed_at, null, try_cast('2000-' || left(fiscal_year_end, 2) || '-' || right(fiscal_year_end, 2) as date), null
from lake.companies
where is_in_part(cik) and fiscal_year_end is not null
union all
select cik, observed_at, null, null, coalesce(min(period_start) filter (where period_end - period_start < 330), min(period_start)) - 1
from filings.statement_facts
where
    is_in_part(cik)
    and not is_annual_form(form)
    and key in ('revenue', 'netIncome', 'profitLoss', 'operatingCashFlow')
    and period_end - period_start between 70 and 420
group by cik, accession_number, observed_at, period_end
qualify period_end = max(period_end) over (partition by cik, accession_number, observed_at)
