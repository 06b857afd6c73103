-- One row per company that filed or is listed: newest description, field by field, and since when anything of it has been known. How it is
-- classified, when its fiscal year ends and which currency it reports in change with time: see company_classes, fiscal_year_ends and
-- reporting_currencies.
with

described as (
    select
        cik,
        last(name order by observed_at, sic is not null, record_hash) as name,
        last(tickers order by observed_at, len(tickers), record_hash) filter (where len(tickers) > 0) as tickers,
        last(exchanges order by observed_at, len(exchanges), record_hash) filter (where len(exchanges) > 0) as exchanges,
        last(lei order by observed_at, record_hash) filter (where lei is not null) as lei,
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
    select cik, min(observed_at) as known_from from filings.company_facts
    group by all
)

select
    cik,
    coalesce(described.name, entities.name, 'CIK ' || cik) as name,
    coalesce(described.tickers, []::varchar[]) as tickers,
    coalesce(described.exchanges, []::varchar[]) as exchanges,
    described.lei,
    described.country,
    least(described.known_from, filed.known_from, reported.known_from) as known_from,
from described
full join filed using (cik)
full join reported using (cik)
left join series.entities on entities.entity_id = 'company_' || cik
