-- Aliases that equal one of the texts, exactly or normalised, best first: exact before normalised, primary before
-- secondary, valid at the given moment before expired. Codes ignore case. Tickers also match in EDGAR's form (BRK.B is
-- BRK-B). A text that is a code or name of a country or currency area is no ticker. A ticker means one entity: its
-- holder at the moment, else the last holder before, else the first one after.
with

asked as (
    select distinct
        unnest($texts::varchar[]) as asked_text,
        unnest($normalized::varchar[]) as asked_normalized,
        unnest($tickers::varchar[]) as asked_ticker,
)

select
    -- An alias that ended later is still valid.
    aliases.* exclude (known_from, end_known_from, held_from, held_to) replace (
        if(aliases.scheme = 'former' and aliases.valid_to >= ($at::timestamptz at time zone 'UTC')::date, null, aliases.scheme) as scheme,
        if(
            aliases.valid_to >= ($at::timestamptz at time zone 'UTC')::date or aliases.end_known_from > $at::timestamptz, null, aliases.valid_to
        ) as valid_to
    ),
    asked.asked_text,
    aliases.alias = asked.asked_text as is_exact,
    if(
        coalesce(held_from, held_to) is null,
        holds_on(aliases.valid_from, aliases.valid_to, ($at::timestamptz at time zone 'UTC')::date),
        coalesce(held_from <= $at::timestamptz, true) and coalesce(held_to > $at::timestamptz, true)
    ) as is_valid,
from asked
inner join published.aliases
    on
    aliases.alias = asked.asked_text
    or aliases.alias_normalized = asked.asked_normalized
    or (aliases.alias_type = 'ticker' and aliases.alias = asked.asked_ticker)
where $alias_type::varchar is null or alias_type = $alias_type::varchar
qualify
    alias_type != 'ticker'
    or (
        not bool_or(entity_id in (
            select entity_id from published.entities
            where is_national(entity_type)
        )) over (partition by asked.asked_text)
        and row_number() over (
            partition by asked.asked_text, alias_type
            order by
                alias = asked.asked_ticker desc,
                is_exact desc,
                is_valid desc,
                if(coalesce(held_from <= $at::timestamptz, true), held_to, null) desc nulls last,
                held_from nulls first,
                entity_id
        ) = 1
    )
order by is_exact desc, is_primary desc, is_valid desc, entity_id, alias_type
