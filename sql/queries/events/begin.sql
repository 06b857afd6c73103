-- When the first version of an event that matches the same filters became known.
select min(observed_at) as first_observed_at
from published.events
where
    ($event_id::varchar is null or event_id = $event_id::varchar)
    and ($event_type::varchar is null or event_type = $event_type::varchar)
    and ($country::varchar is null or country = $country::varchar)
    and ($entity_id::varchar is null or entity_id = $entity_id::varchar)
    and ($importance::varchar is null or importance = $importance::varchar)
    and ($status::varchar is null or status = $status::varchar)
    and ($date_from::date is null or event_date >= $date_from::date)
    and ($date_to::date is null or event_date <= $date_to::date)
    and ($q::varchar is null or contains(lower(title || ' ' || coalesce(summary, '')), lower($q::varchar)))
