-- One row per company that filed or is listed, with the time from which anything of it was known. Names, tickers,
-- class, fiscal year end and reporting currency change over time: see filer_names, ticker_holders, filer_descriptions,
-- company_classes, fiscal_year_ends and reporting_currencies.
with

described as (
    select
        cik,
        min(observed_at) as known_from,
    from lake.companies
    group by all
),

filed as (
    select cik, min(observed_at) as known_from from lake.filings
    group by all
),

reported as (
    select cik, min(observed_at) as known_from from filings.company_facts
    group by all
)

select
    cik,
    coalesce(entities.name, 'CIK ' || cik) as name,
    least(described.known_from, filed.known_from, reported.known_from) as known_from,
from described
full join filed using (cik)
full join reported using (cik)
left join series.entities on entities.entity_id = 'company_' || cik
