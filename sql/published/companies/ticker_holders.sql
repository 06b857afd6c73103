-- The holders of tickers: one row per ticker and holding, by today's knowledge; see series.ticker_holders. Look-ups use
-- [held_from, held_to). Rows show a ticker from claimed_from on.
select
    ticker,
    entity_id as company_id,
    held_from,
    claimed_from,
    held_to,
from series.ticker_holders
order by ticker, claimed_from
