-- Aliases that equal a text, exactly or in normalised form, best first: exact before normalised, primary before secondary, valid at the
-- given moment before expired. Codes compare without regard to case. A ticker is none where the text is a code or name of a country or currency area.
select
    aliases.*,
    alias = $alias::varchar as is_exact,
    (valid_from is null or valid_from <= $on_date::date) and (valid_to is null or valid_to >= $on_date::date) as is_valid,
from published.aliases
where
    (alias = $alias::varchar or alias_normalized = $normalized::varchar)
    and ($alias_type::varchar is null or alias_type = $alias_type::varchar)
qualify
    alias_type != 'ticker'
    or not bool_or(entity_id in (
        select entity_id from published.entities
        where is_national(entity_type)
    )) over ()
order by is_exact desc, is_primary desc, is_valid desc, entity_id, alias_type
