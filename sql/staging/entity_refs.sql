-- What indirect entity references in payloads stand for: `iso3:fra` and `iso3:arb` (countries and World Bank aggregates), and `ticker:aapl`
-- (the company that used the ticker most recently).
with

countries as (
    select lower(unnest([iso3, wb_code])) as code, lower(iso2) as entity_id
    from reference.countries
),

aggregates as (
    select lower(replace(unnest(regexp_extract_all(identifiers, '(?:^|;)wb_code=([^;]+)', 1)), ' ', '')) as code, entity_id
    from reference.entities
),

tickers as (
    select distinct on (ticker) lower(ticker) as ticker, 'company_' || cik as entity_id
    from (select cik, observed_at, unnest(tickers) as ticker from staged.lake_companies)
    order by ticker, observed_at desc, cik
)

select 'iso3:' || code as entity_ref, entity_id from countries
where code is not null
union
select 'iso3:' || code, entity_id from aggregates
where code is not null
union
select 'ticker:' || ticker, entity_id from tickers
