-- Entities as of a moment by type, country, status and a text in their names or codes. is_called_so: true if one of
-- these equals the text; null without a text. With a cutoff, the lists give the time at which data of each last became
-- known; without one they are null.
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
