-- The tickers, sectors and industries of companies at any time. Grain: kind, name.
with

classes as (
    select unnest(classes) as class from published.companies
)

select distinct
    'ticker' as kind,
    ticker as name,
from published.ticker_holders
union
select
    'sector' as kind,
    class.sector as name,
from classes
where class.sector is not null
union
select
    'industry' as kind,
    class.industry as name,
from classes
where class.industry is not null
order by kind, name
