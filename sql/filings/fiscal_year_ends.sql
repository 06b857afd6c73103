-- Ends of fiscal years from annual reports: the end of the report's period. One row per cik and year_end, known from
-- the first report on it. The period of a report is the one that EDGAR lists, else that of its newest revenue, result
-- or cash flow of a year. A report on the time between two fiscal years (10-KT) may have any length. Without such
-- figures, the day of the balance sheet counts. A trailing year in a note is not a statement line, so it does not
-- count.
with

stated as (
    select
        cik,
        accession_number,
        min(observed_at) as known_from,
        coalesce(
            max(period_end) filter (where key != 'totalAssets' and (period_end - period_start between 330 and 420 or starts_with(form, '10-KT'))),
            max(period_end) filter (where key = 'totalAssets')
        ) as period_end,
    from filings.statement_facts
    where is_annual_form(form) and key in ('revenue', 'netIncome', 'profitLoss', 'operatingCashFlow', 'totalAssets') and period_end <= filed
    group by all
    having period_end is not null
),

listed as (
    select cik, accession_number, min(version_at) as known_from, min_by(report_date, version_at) as period_end
    from filings.stated_filings
    where is_annual_form(form) and report_date <= filed
    group by all
)

select
    cik,
    -- If a year ends some days from the end of a month, EDGAR may list the month's last day.
    if(abs(stated.period_end - listed.period_end) <= 15, stated.period_end, coalesce(listed.period_end, stated.period_end)) as year_end,
    min(least(stated.known_from, listed.known_from)) as known_from,
from stated
full join listed using (cik, accession_number)
group by all
order by cik, year_end
