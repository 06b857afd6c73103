-- The company that a ticker means at a moment: the one that held it then, else the one that held it last before, else the first after. Null of a text
-- that never was a ticker. A dot is a dash: BRK.B is BRK-B.
create or replace macro ticker_holder(text, moment) as (
    select company_id
    from published.ticker_holders
    where ticker = replace(upper(text), '.', '-')
    order by
        coalesce(held_from <= moment, true) and coalesce(held_to > moment, true) desc,
        if(coalesce(held_from <= moment, true), held_to, null) desc nulls last,
        held_from nulls first
    limit 1
)
