-- Every alias of an entity. Grain: alias.
select distinct alias as name
from published.aliases
order by name
