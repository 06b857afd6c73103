-- Calendar entries in the version of their schedule known at the cutoff, with the currency of that day. If the previous
-- period is older than the visible ones (period_from), its values are hidden, and so is the forecast, which
-- extrapolates them. observed_at: when this version of the schedule became known; a number that arrives later does not
-- move it.
select
    event_id,
    title,
    country,
    entity_id,
    if(monies.currencies is null, currency, currency_at(monies.currencies, $on_date::date)) as currency,
    category,
    indicator_id,
    canonical_indicator_id,
    factor_key,
    importance,
    scheduled_at,
    time_precision,
    timezone,
    status,
    period,
    period_end,
    actual,
    if(is_previous_seen, previous, null) as previous,
    if(is_previous_seen, revised_previous, null) as revised_previous,
    consensus,
    if(is_previous_seen, forecast, null) as forecast,
    if(is_previous_seen, forecast_method, null) as forecast_method,
    if(is_previous_seen, forecast_lower, null) as forecast_lower,
    if(is_previous_seen, forecast_upper, null) as forecast_upper,
    unit,
    frequency,
    released_at,
    observation_id,
    schedule_version,
    schedules.known_at as observed_at,
    source_id,
    source_url,
    attribution,
from (
    select *, coalesce($period_from::date is null or previous_period_end >= $period_from::date, false) as is_previous_seen
    from published.calendar
)
left join (
    select entity_id, currencies from published.entities
    where len(currencies) > 0
) as monies using (entity_id)
inner join (
    select event_id, schedule_version, min(observed_at) as known_at from published.calendar
    group by all
) as schedules using (event_id, schedule_version)
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
    and is_in_force(observed_at, known_to, $as_of::timestamptz)
