-- A company at a price and the fundamentals of the moment. One row per closing price and filing in force while that price was the newest: at the
-- close, and again when a filing is accepted before the next close; known_at is the later of both. close: the price of that day as traded, so
-- that shares and earnings a share count on the same basis. Nothing is valued before the first filing. is_financial: by the industry known then;
-- before one is known, by the balance sheet, as EDGAR's code is known from its retrieval alone: null where it is uncertain does less harm than a
-- number that says nothing.
with

prices as (
    select
        series.source_id,
        series.entity_id,
        substr(series.entity_id, 9) as cik,
        vintages.*,
        coalesce(min(vintages.observed_at) over later_ones, timestamptz 'infinity') as next_at,
    from series.vintages
    inner join series.series using (series_no)
    where series.canonical_id = 'price_close' and starts_with(series.entity_id, 'company_') and series.unit = 'usd' and series.frequency = 'daily'
    window
        later_ones as (
            partition by vintages.series_no order by vintages.period_end, vintages.observed_at rows between 1 following and unbounded following
        )
),

closes as (
    select prices.*, coalesce(day.basis, 1) as day_basis
    from prices
    asof left join splits.split_bases as day on day.cik = prices.cik and day.valid_from <= prices.period_end
),

paired as (
    select
        closes.source_id,
        closes.entity_id,
        closes.period,
        closes.period_start,
        closes.period_end,
        closes.released_at,
        closes.value as close,
        [{ series_no: closes.series_no, period: closes.period, vintage: closes.vintage, role: 'price' }] as inputs,
        closes.series_no as input_series_no,
        closes.retrieved_at as price_retrieved_at,
        greatest(closes.observed_at, fundamentals.known_at) as observed_at,
        greatest(closes.retrieved_at, fundamentals.retrieved_at) as retrieved_at,
        greatest(closes.ingested_at, fundamentals.ingested_at) as ingested_at,
        greatest(closes.change_sequence, fundamentals.change_sequence) as change_sequence,
        closes.day_basis / coalesce(then_basis.basis, 1) as split_factor,
        fundamentals.* exclude (retrieved_at, ingested_at, change_sequence),
    from closes
    inner join valuations.company_fundamentals as fundamentals
        on fundamentals.cik = closes.cik
        and fundamentals.known_at < closes.next_at
        and (fundamentals.known_to is null or fundamentals.known_to > closes.observed_at)
    asof left join
        splits.split_bases as then_basis
        on then_basis.cik = fundamentals.cik and then_basis.valid_from <= (fundamentals.known_at at time zone 'UTC')::date
    where closes.value > 0
)

select
    paired.* exclude (shares, eps, eps_year_ago, split_factor),
    paired.shares * split_factor as shares,
    paired.eps / split_factor as eps,
    paired.eps_year_ago / split_factor as eps_year_ago,
    -- In cents: the product of two floats has noise behind them.
    round(paired.close * paired.shares * split_factor, 2) as market_cap,
    market_cap + debt + preferred + noncontrolling - cash as enterprise_value,
    paired.observed_at::date - window_end > 185 as is_stale,
    coalesce(classes.is_financial, is_undivided) as is_financial,
from paired
asof left join filings.company_classes as classes on classes.cik = paired.cik and classes.known_from <= paired.observed_at
