-- Who held a ticker: one row per ticker and holding, by all that is known today; see series.ticker_holders. Look-ups use [held_from, held_to); rows
-- show a ticker from claimed_from on.
select
    ticker,
    entity_id as company_id,
    held_from,
    claimed_from,
    held_to,
from series.ticker_holders
order by ticker, claimed_from
