-- The company that a ticker means at a moment: its holder then, else the last holder before, else the first one after.
-- Null for a text that never was a ticker. A dot counts as a dash: BRK.B is BRK-B.
create or replace macro ticker_holder(text, moment) as (
    select company_id
    from published.ticker_holders
    where ticker_holders.ticker = replace(upper(text), '.', '-')
    order by
        coalesce(held_from <= moment, true) and coalesce(held_to > moment, true) desc,
        if(coalesce(held_from <= moment, true), held_to, null) desc nulls last,
        held_from nulls first
    limit 1
)
