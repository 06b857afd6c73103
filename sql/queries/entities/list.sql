-- Entities as of a moment by type, country, status and a text in their names or codes. is_called_so: whether one of these is the very text; null
-- without one. Under a cutoff with when something of each that was known then last became known; without one the lists are null.
with

of_then as (select unnest($known_ids::varchar[]) as entity_id, unnest($known_ats::varchar[])::timestamptz as known_at)

select
    entities.* replace (
        if($known_ids::varchar[] is null, entities.updated_at, coalesce(of_then.known_at, entities.created_at)) as updated_at
    ),
    lower(name) = lower($q::varchar)
    or entity_id in (
        select entity_id from published.aliases
        where alias_normalized = lower($q::varchar)
    ) as is_called_so,
from entities_as_of(as_of := $as_of::timestamptz, on_day := $on_date::date, seen := $seen_ids::varchar[]) as entities
left join of_then using (entity_id)
where
    ($entity_type::varchar is null or entity_type = $entity_type::varchar)
    and ($country::varchar is null or country = $country::varchar)
    and ($status::varchar is null or status = $status::varchar)
    and (
        $q::varchar is null
        or contains(lower(name), lower($q::varchar))
        or contains(slug, lower($q::varchar))
        or entity_id in (
            select entity_id from published.aliases
            where contains(alias_normalized, lower($q::varchar)) or contains(alias_normalized, lower($q_ticker::varchar))
        )
    )
