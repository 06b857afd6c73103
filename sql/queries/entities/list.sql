-- Entities as of a moment by type, country, status, and either an id in found_ids or a text in their names or codes. A
-- name counts only if it was known then; a code always, because a look-up is no look-ahead. is_called_so: true if one of
-- these equals the text; null without a text. With a cutoff, the lists give the time at which data of each last became
-- known; without one they are null.
with

found as (
    select unnest($found_ids::varchar[]) as entity_id, unnest($found_places::integer[]) as place
),

called as (
    select entity_id, alias_normalized
    from published.aliases
    where
        $q::varchar is not null
        and (
            alias_type not in ('name', 'short_name')
            or if(
                $as_of::timestamptz is null or known_from is not null,
                coalesce(known_from <= $as_of::timestamptz, true),
                coalesce(valid_from <= $on_date::date, true)
            )
        )
),

of_then as (select unnest($known_ids::varchar[]) as entity_id, unnest($known_ats::varchar[])::timestamptz as known_at)

select
    entities.* replace (
        if($known_ids::varchar[] is null, entities.updated_at, coalesce(of_then.known_at, entities.created_at)) as updated_at
    ),
    lower(name) = lower($q::varchar)
    or entity_id in (
        select entity_id from called
        where alias_normalized = lower($q::varchar)
    ) as is_called_so,
    found.place,
from entities_as_of(as_of := $as_of::timestamptz, on_day := $on_date::date, seen := $seen_ids::varchar[]) as entities
left join of_then using (entity_id)
left join found using (entity_id)
where
    ($entity_type::varchar is null or entity_type = $entity_type::varchar)
    and ($country::varchar is null or country = $country::varchar)
    and ($status::varchar is null or status = $status::varchar)
    and (
        $q::varchar is null
        or found.place is not null
        or contains(lower(name), lower($q::varchar))
        or contains(slug, lower($q::varchar))
        or entity_id in (
            select entity_id from called
            where contains(alias_normalized, lower($q::varchar)) or contains(alias_normalized, lower($q_ticker::varchar))
        )
    )
