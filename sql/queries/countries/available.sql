-- Countries and currency areas with data: all, one, or those of some entities.
select country_id, entity_id, name
from countries_as_of(as_of := $as_of::timestamptz, on_day := $on_date::date)
where
    indicator_count > 0
    and ($iso2::varchar is null or iso2 = $iso2::varchar)
    and ($entity_ids::varchar[] is null or entity_id in (select unnest($entity_ids::varchar[])))
