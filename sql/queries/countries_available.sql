-- Countries and currency areas with data, one of them or all.
select country_id, entity_id, name
from published.countries
where indicator_count > 0 and ($iso2::varchar is null or iso2 = $iso2::varchar)
