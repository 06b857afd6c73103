-- The entity with this identifier or slug, as described at the cutoff, if it was known then. An identifier has
-- priority.
select *
from entities_as_of(as_of := $as_of::timestamptz, on_day := $on_date::date, seen := $seen_ids::varchar[])
where entity_id = lower($name::varchar) or slug = lower($name::varchar)
order by entity_id = lower($name::varchar) desc
limit 1
