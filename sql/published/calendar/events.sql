-- Official events: those of calendar.official_events, and the entries of the calendar, one event per release. One row
-- per event and version; [observed_at, known_to) is the interval in which the version was the newest known. A future
-- decision is an event of its own until the bank's document is known. From then on the document is the event.
with

-- The entry of the main indicator represents the release.
mains as (
    select distinct on (entry_id) entry_id, event_id
    from published.calendar
    order by entry_id, indicator_place, event_id
),

moments as (
    select entry_id, observed_at
    from published.calendar
    union
    select entry_id, observed_at
    from calendar.carried_observations
),

carried as (
    select moments.entry_id, moments.observed_at, flatten(list(observation_ids order by indicator_place)) as observation_ids
    from moments
    inner join calendar.carried_observations as held
        on held.entry_id = moments.entry_id
        and held.observed_at <= moments.observed_at
        and coalesce(held.known_to > moments.observed_at, true)
    group by all
),

grouped as (
    select
        moments.entry_id,
        moments.observed_at,
        arg_min(calendar, indicator_place) as main,
        bool_or(status = 'released') as is_released,
        arg_min(period, indicator_place) filter (where period is not null) as period,
        list(indicator_id order by indicator_place) filter (where indicator_id is not null) as indicator_ids,
    from moments
    inner join published.calendar
        on calendar.entry_id = moments.entry_id
        and is_in_force(calendar.observed_at, calendar.known_to, moments.observed_at)
    group by all
),

releases as (
    select
        'evt_' || left(sha256(concat_ws('|', 'calendar', entry_id)), 26) as event_id,
        entry_id,
        observed_at,
        if(main.is_decision, 'policy_decision', 'data_release') as event_type,
        main.title as title,
        'Period ' || period as summary,
        main.entity_id as entity_id,
        main.importance as importance,
        if(is_released, 'occurred', main.status) as status,
        main.scheduled_at as occurred_at,
        if(main.time_precision = 'exact', 'minute', 'day') as time_precision,
        if(is_released and main.time_precision = 'exact', main.scheduled_at, null) as published_at,
        indicator_ids,
        carried.observation_ids,
        main.source_id as source_id,
        main.source_url as source_url,
        main.payload_key as payload_key,
        min(if(main.is_decision and is_released, observed_at, null)) over (partition by entry_id) as replaced_at,
    from grouped
    left join carried using (entry_id, observed_at)
),

together as (
    from calendar.official_events
    union all by name
    select * from releases
    where coalesce(observed_at < replaced_at, true)
)

select
    together.event_id,
    together.event_type,
    together.title,
    together.summary,
    together.entity_id,
    entities.country,
    entities.currency,
    case
        when together.importance is not null then together.importance
        when event_type in ('policy_decision', 'policy_statement') then 'high'
        when event_type in ('minutes', 'speech') then 'medium'
        else 'low'
    end as importance,
    coalesce(together.status, 'occurred') as status,
    together.occurred_at,
    (together.occurred_at at time zone 'UTC')::date as event_date,
    together.time_precision,
    together.published_at,
    together.observed_at,
    coalesce(lead(together.observed_at) over (partition by together.event_id order by together.observed_at), together.replaced_at) as known_to,
    coalesce(together.indicator_ids, []) as indicator_ids,
    coalesce(together.observation_ids, []) as observation_ids,
    mains.event_id as calendar_event_id,
    together.source_id,
    sources.source_tier,
    together.source_url,
    together.document_hash,
    together.language,
    if(starts_with(together.payload_key, 'sample/'), 'SAMPLE DATA, generated, not real: ', '') || sources.attribution as attribution,
    sources.is_redistributable,
    sources.license,
    sources.rights_note,
from together
inner join reference.sources using (source_id)
left join series.entities using (entity_id)
left join mains using (entry_id)
order by together.event_id, together.observed_at
