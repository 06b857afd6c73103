-- The aliases of one entity.
select *
from published.aliases
where entity_id = $entity_id::varchar
