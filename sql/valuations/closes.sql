-- Closing prices in dollars of the class that a filer's multiples use, in each vintage, with their unit. One row per
-- input series, period and vintage. shares_a_unit: counted shares per quoted unit. is_unit_stated: true if
-- share_classes.csv gives it. day_basis: in the shares of that day. next_at: the time at which the next price became
-- known.
with

prices as (
    select
        series.source_id,
        'company_' || regexp_extract(series.entity_id, '^(?:company|listing)_(\d{10})', 1) as entity_id,
        regexp_extract(series.entity_id, '^(?:company|listing)_(\d{10})', 1) as cik,
        starts_with(series.entity_id, 'company_') as is_main_series,
        upper(split_part(series.series_code, '.', 1)) as ticker,
        vintages.*,
        coalesce(min(vintages.observed_at) over later_ones, timestamptz 'infinity') as next_at,
    from series.vintages
    inner join series.series using (series_no)
    where
        series.canonical_id = 'price_close'
        and regexp_matches(series.entity_id, '^(company|listing)_\d{10}')
        and series.unit = 'usd'
        and series.frequency = 'daily'
    window
        later_ones as (
            partition by vintages.series_no order by vintages.period_end, vintages.observed_at rows between 1 following and unbounded following
        )
)

select
    prices.* exclude (is_main_series),
    coalesce(day.basis, 1) as day_basis,
    -- The unit of the price: a quoted unit equals `shares_a_unit` counted shares.
    coalesce(units.shares / units.units, 1) as shares_a_unit,
    units.shares is not null as is_unit_stated,
from prices
asof left join (select cik, ticker, valid_from, units, shares from reference.share_classes) as units
    on units.cik = prices.cik and units.ticker = prices.ticker and units.valid_from <= prices.period_end
asof left join (
    select cik, ticker as main_ticker, valid_from from reference.share_classes
    where is_main
) as mains
    on mains.cik = prices.cik and mains.valid_from <= prices.period_end
asof left join splits.split_bases as day on day.cik = prices.cik and day.valid_from <= prices.period_end
where coalesce(prices.ticker = mains.main_ticker, prices.is_main_series)
