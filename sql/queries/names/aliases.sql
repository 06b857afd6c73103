-- Every text that an entity goes by. Grain: alias.
select distinct alias as name
from published.aliases
order by name
