-- The entity with this identifier or slug, as it was described at the cutoff, if it was known then; an identifier wins.
select *
from entities_as_of(as_of := $as_of::timestamptz, on_day := $on_date::date, seen := $seen_ids::varchar[])
where entity_id = lower($name::varchar) or slug = lower($name::varchar)
order by entity_id = lower($name::varchar) desc
limit 1
