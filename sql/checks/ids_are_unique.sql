-- Vintages that share an identifier.
select id_hash, count(*) as vintages
from published.vintages
group by all
having count(*) > 1
