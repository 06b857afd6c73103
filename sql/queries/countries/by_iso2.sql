-- One country or currency area.
select *
from published.countries
where iso2 = $iso2::varchar
