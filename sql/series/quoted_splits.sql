-- Splits as they appear in quotes. One row per price or volume series of a company and day. ratio: the number of quoted
-- units that equal one before. Its cause is a split of the counted share, a change of the quoted unit
-- (share_classes.csv), or both. Example: a receipt for one share before an eight-for-one split, and for eight shares
-- after it, is not split.
with

prices as (
    select
        series_no,
        regexp_extract(entity_id, '^(?:company|listing)_(\d{10})', 1) as cik,
        upper(split_part(series_code, '.', 1)) as ticker,
    from series.series
    where
        canonical_id in ('price_open', 'price_high', 'price_low', 'price_close', 'volume')
        and regexp_matches(entity_id, '^(company|listing)_\d{10}')
),

units as (
    select
        cik,
        ticker,
        valid_from,
        (lag(shares / units) over (partition by cik, ticker order by valid_from)) / (shares / units) as ratio,
    from reference.share_classes
),

moves as (
    select prices.series_no, splits.effective_date, splits.ratio
    from prices
    inner join reference.stock_splits as splits using (cik)
    union all
    select prices.series_no, units.valid_from, units.ratio
    from prices
    inner join units using (cik, ticker)
    where units.ratio is not null
)

select series_no, effective_date, product(ratio) as ratio
from moves
group by all
