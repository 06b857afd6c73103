-- The hashes of the identifiers of all assumed vintages, ascending. Grain: vintage.
select id_hash
from assumed_vintages()
order by id_hash
