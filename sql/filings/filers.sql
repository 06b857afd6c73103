-- One row per company that filed or is listed: newest description, field by field, and since when anything of it has been known. How it is
-- classified changes with time: see company_classes.
-- fiscal_year_end: MMDD, as the submissions file has it, else the month and day on which its newest annual figures end.
with

described as (
    select
        cik,
        last(name order by observed_at, sic is not null, record_hash) as name,
        last(tickers order by observed_at, len(tickers), record_hash) filter (where len(tickers) > 0) as tickers,
        last(exchanges order by observed_at, len(exchanges), record_hash) filter (where len(exchanges) > 0) as exchanges,
        last(lei order by observed_at, record_hash) filter (where lei is not null) as lei,
        last(fiscal_year_end order by observed_at, record_hash) filter (where fiscal_year_end is not null) as fiscal_year_end,
        last(country_code order by observed_at, record_hash) filter (where country_code is not null) as country,
        min(observed_at) as known_from,
    from lake.companies
    group by all
),

filed as (
    select cik, min(observed_at) as known_from from lake.filings
    group by all
),

reported as (
    select
        cik,
        min(observed_at) as known_from,
        strftime(max(period_end) filter (where period_end - period_start between 330 and 420), '%m%d') as fiscal_year_end,
        last(unit order by observed_at, unit) filter (where regexp_full_match(unit, '[A-Z]{3}') and taxonomy != 'dei') as currency,
    from filings.company_facts
    group by all
)

select
    cik,
    coalesce(described.name, entities.name, 'CIK ' || cik) as name,
    coalesce(described.tickers, []::varchar[]) as tickers,
    coalesce(described.exchanges, []::varchar[]) as exchanges,
    described.lei,
    coalesce(described.fiscal_year_end, reported.fiscal_year_end) as fiscal_year_end,
    described.country,
    reported.currency,
    least(described.known_from, filed.known_from, reported.known_from) as known_from,
from described
full join filed using (cik)
full join reported using (cik)
left join series.entities on entities.entity_id = 'company_' || cik
