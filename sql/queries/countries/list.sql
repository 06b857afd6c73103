-- Every country.
select *
from published.countries
