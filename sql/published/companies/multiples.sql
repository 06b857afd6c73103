-- The trailing multiples of companies, as typed columns. One row per company, day of the closing price, source of the
-- price and valuation of that day; in force during [known_from, known_to); known_to is null while it holds. reason: why
-- each null multiple is null. Without a grant, the service withholds prices and values computed from them.
-- is_redistributable: true if the licence of the price allows to redistribute a row.
select
    valuations.entity_id,
    valuations.cik,
    valuations.price_as_of as price_date,
    valuations.price_source,
    valuations.price,
    valuations.market_cap,
    unnest(valuations.multiples),
    valuations.reasons as reason,
    valuations.is_redistributable,
    valuations.known_at as known_from,
    lead(valuations.known_at) over (
        partition by valuations.cik, valuations.price_source, valuations.price_as_of order by valuations.known_at
    ) as known_to,
from valuations.company_valuations as valuations
order by valuations.cik, valuations.price_as_of, valuations.price_source, valuations.known_at
