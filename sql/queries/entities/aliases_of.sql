-- The aliases of one entity known at the cutoff. An alias that ended later is still valid, and the shown name is that
-- of the time. If payloads give the name no start, it has no first day: its span is known only after another name has
-- followed.
with

known as (
    select
        aliases.* exclude (known_from, end_known_from, held_from, held_to) replace (
            if(
                alias_type = 'name' and len(entities.names) > 0,
                alias = name_at(entities.names, entities.name, $as_of::timestamptz),
                is_primary
            ) as is_primary,
            if(aliases.scheme = 'former' and aliases.valid_to >= $on_date::date, null, aliases.scheme) as scheme,
            if(
                aliases.valid_to >= $on_date::date or aliases.end_known_from > $as_of::timestamptz, null, aliases.valid_to
            ) as valid_to
        ),
        entities.entity_type in ('company', 'instrument') as is_named_by_payloads,
    from published.aliases
    inner join published.entities using (entity_id)
    where
        entity_id = $entity_id::varchar
        and if(
            $as_of::timestamptz is null or aliases.known_from is not null,
            coalesce(aliases.known_from <= $as_of::timestamptz, true),
            coalesce(aliases.valid_from <= $on_date::date, true)
        )
)

select distinct
    known.* exclude (is_named_by_payloads) replace (
        if(
            is_named_by_payloads and alias_type = 'name' and is_primary,
            'als_' || left(sha256(concat_ws('|', entity_id, alias_type, '', alias, '')), 26),
            alias_id
        ) as alias_id,
        if(is_named_by_payloads and alias_type = 'name' and is_primary, null, valid_from) as valid_from
    ),
from known
