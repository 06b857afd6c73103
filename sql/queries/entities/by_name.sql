-- The entity with this identifier or slug; an identifier wins.
select *
from published.entities
where entity_id = lower($name::varchar) or slug = lower($name::varchar)
order by entity_id = lower($name::varchar) desc
limit 1
