-- Events in the version known at the cutoff, with the currency of that day and a company's country as known then,
-- filtered by kind, place, day and a text in title or summary.
with known as (
    select
        events.* replace (
            if(companies.entity_id is null, events.country, country_known_at(companies.descriptions, events.country, $as_of::timestamptz)) as country
        ),
    from published.events
    left join (select entity_id, descriptions from published.companies) as companies using (entity_id)
)

select
    event_id,
    event_type,
    title,
    summary,
    entity_id,
    country,
    if(monies.currencies is null, currency, currency_at(monies.currencies, $on_date::date)) as currency,
    importance,
    status,
    occurred_at,
    time_precision,
    published_at,
    observed_at,
    indicator_ids,
    observation_ids,
    calendar_event_id,
    source_id,
    source_tier,
    source_url,
    document_hash,
    language,
    attribution,
    is_redistributable,
    license,
    rights_note,
from known
left join (
    select entity_id, currencies from published.entities
    where len(currencies) > 0
) as monies using (entity_id)
where
    ($event_id::varchar is null or event_id = $event_id::varchar)
    and ($event_type::varchar is null or event_type = $event_type::varchar)
    and ($country::varchar is null or country = $country::varchar)
    and ($entity_id::varchar is null or entity_id = $entity_id::varchar)
    and ($importance::varchar is null or importance = $importance::varchar)
    and ($status::varchar is null or status = $status::varchar)
    and ($date_from::date is null or event_date >= $date_from::date)
    and ($date_to::date is null or event_date <= $date_to::date)
    and is_in_force(observed_at, known_to, $as_of::timestamptz)
    and ($q::varchar is null or contains(lower(title || ' ' || coalesce(summary, '')), lower($q::varchar)))
