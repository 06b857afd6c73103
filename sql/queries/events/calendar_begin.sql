-- When the first version of an entry that matches the same filters became known.
select min(observed_at) as first_observed_at
from published.calendar
where
    ($event_id::varchar is null or event_id = $event_id::varchar)
    and ($country::varchar is null or country = $country::varchar)
    and (
        $indicator_ids::varchar[] is null
        or indicator_id in (select unnest($indicator_ids::varchar[]))
        or canonical_indicator_id in (select unnest($indicator_ids::varchar[]))
    )
    and ($importance::varchar is null or importance = $importance::varchar)
    and ($category::varchar is null or category = $category::varchar)
    and ($status::varchar is null or status = $status::varchar)
    and ($date_from::date is null or scheduled_date >= $date_from::date)
    and ($date_to::date is null or scheduled_date <= $date_to::date)
    and ($period_from::date is null or period_end is null or period_end >= $period_from::date)
