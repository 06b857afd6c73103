-- The days for which a vendor's payloads may give quotes of a filer or listing, by the symbol of their file. One row
-- per source_id, symbol, entity_id and retrieved_at, if a holder of the symbol is known. The entity counts from
-- first_day to last_day if it held the symbol at the retrieval or was the last holder before. is_holder false: the
-- quotes belong to another entity. Without a row the symbol was never in a list, and there are no bounds.
with

quoted as (
    select distinct
        source_id,
        split_part(series_code, '.', 1) as symbol,
        entity_id,
        retrieved_at,
        regexp_extract(entity_id, '^(?:company|listing)_(\d{10})', 1) as cik,
    from lake.observations
    where regexp_matches(entity_id, '^(company|listing)_\d{10}') and series_code is not null
),

holders as (
    select *, upper(ticker) as symbol, coalesce(held_from, timestamptz '-infinity') as since
    from series.ticker_holders
),

last_holders as (
    select quoted.*, holders.cik as holder_cik
    from quoted
    asof inner join (
        select symbol, since, any_value(cik) as cik from holders
        group by all
    ) as holders on holders.symbol = upper(quoted.symbol) and holders.since <= quoted.retrieved_at
)

select
    quoted.source_id,
    quoted.symbol,
    quoted.entity_id,
    quoted.retrieved_at,
    coalesce(last_holders.holder_cik = quoted.cik, false) as is_holder,
    min(if(held.held_from is null, date '-infinity', (held.held_from at time zone 'UTC')::date)) as first_day,
    max(if(held.held_to is null, date 'infinity', (held.held_to at time zone 'UTC')::date)) as last_day,
from quoted
left join last_holders using (source_id, symbol, entity_id, retrieved_at)
left join holders as held on held.symbol = upper(quoted.symbol) and held.cik = quoted.cik
where upper(quoted.symbol) in (select symbol from holders)
group by all
