-- EDGAR's description of a filer over time, field by field, without names and tickers. One row per cik and known_from,
-- the retrieval of its file. exchange: the MIC of the market of its first ticker. EDGAR's `NYSE` may be any market of
-- that group.
select distinct on (cik, observed_at)
    cik,
    observed_at as known_from,
    last_value(country_code ignore nulls) over said as country,
    last_value(lei ignore nulls) over said as lei,
    if(exchanges[1] = 'Nasdaq', 'XNAS', null) as exchange,
from lake.companies
-- A list of tickers has none of these fields.
where sic is not null or len(exchanges) > 0 or lei is not null or country_code is not null or fiscal_year_end is not null
window said as (partition by cik order by observed_at, record_hash)
order by cik, observed_at, record_hash desc
