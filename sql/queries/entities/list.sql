-- Entities by type, country, status and a text in their names or codes. is_called_so: whether one of these is the very text; null without one.
select
    *,
    lower(name) = lower($q::varchar)
    or entity_id in (
        select entity_id from published.aliases
        where alias_normalized = lower($q::varchar)
    ) as is_called_so,
from published.entities
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
            where contains(alias_normalized, lower($q::varchar))
        )
    )
