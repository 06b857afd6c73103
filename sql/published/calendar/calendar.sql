-- The economic calendar: one row per entry (a release and one of its main indicators) and version. [observed_at,
-- known_to) is the interval in which the version was the newest known. schedule_version counts changes of time and
-- state; a number that becomes known later makes a row of the same schedule_version. previous, actual, forecast and
-- consensus come from one series that is redistributable. A printed entry has the consensus of its period. Before that,
-- it has the newest known survey round, at most 120 days before the release is due.
with

states as (
    select
        'cal_' || left(sha256(concat_ws('|', moments.entry_id, moments.canonical_id)), 26) as event_id,
        moments.* exclude (period),
        case
            when moments.status not in ('scheduled', 'postponed') then moments.status
            when prints.printed_at is not null then 'released'
            when moments.is_lapsed then 'unconfirmed'
            else moments.status
        end as state,
        coalesce(prints.period, moments.period) as covered_period,
        kept.indicator_id,
        prints.* exclude (entry_id, canonical_id, moment, period),
        forecasts.forecast,
        forecasts.forecast_method,
        forecasts.forecast_lower,
        forecasts.forecast_upper,
        if(prints.printed_at is null, rounds.value, consensus.consensus) as consensus,
    from calendar.calendar_moments as moments
    inner join reference.releases using (release_id)
    left join calendar.carried_indicators as kept
        on kept.entity_id = releases.entity_id
        and kept.canonical_id = moments.canonical_id
        and kept.known_from <= moments.moment
    left join calendar.calendar_prints as prints
        on prints.entry_id = moments.entry_id and prints.canonical_id = moments.canonical_id and prints.moment = moments.moment
    left join published.forecasts
        on forecasts.series_no = prints.series_no
        and forecasts.forecast_period = prints.period
        and forecasts.observed_at <= moments.moment
        and forecasts.observed_at < least(moments.due_at, prints.printed_at)
    left join published.consensus
        on consensus.series_no = prints.series_no
        and consensus.period_end = prints.period_end
        and consensus.observed_at < prints.printed_at
    left join derived.all_series as expected on expected.series_no = prints.series_no
    left join forecasts.survey_rounds as rounds
        on rounds.entity_id = expected.entity_id
        and rounds.canonical_id = expected.canonical_id
        and rounds.frequency = expected.frequency
        and rounds.period_end = prints.period_end
        and rounds.observed_at <= moments.moment
        and rounds.observed_at < moments.due_at
        and rounds.published_at >= moments.due_at - interval 120 day
    qualify row_number() over (
        partition by moments.entry_id, moments.canonical_id, moments.moment
        order by forecasts.observed_at desc nulls last, rounds.round_end desc nulls last, rounds.observed_at desc
    ) = 1
),

schedules as (
    select
        *,
        (scheduled_at, time_precision, timezone, state) as schedule,
        (source_id, indicator_id, covered_period, actual, previous, revised_previous, forecast, consensus, url) as content,
        (lag(schedule) over versions is distinct from schedule) as is_new_schedule,
        (lag(content) over versions is distinct from content) as is_new_content,
    from states
    window versions as (partition by event_id order by moment)
),

versions as (
    select *, sum(is_new_schedule::integer) over (partition by event_id order by moment) as schedule_version
    from schedules
    qualify is_new_schedule or is_new_content
)

select
    versions.event_id,
    releases.name as title,
    entities.country,
    releases.entity_id,
    entities.currency,
    coalesce(indicators.category, releases.category) as category,
    versions.indicator_id,
    versions.canonical_id as canonical_indicator_id,
    indicators.factor_key,
    coalesce(indicators.importance, releases.importance) as importance,
    versions.scheduled_at,
    versions.due_date as scheduled_date,
    versions.time_precision,
    versions.timezone,
    versions.state as status,
    versions.covered_period as period,
    versions.period_end,
    versions.actual,
    versions.previous,
    versions.revised_previous,
    versions.previous_period_end,
    versions.consensus,
    versions.forecast,
    versions.forecast_method,
    versions.forecast_lower,
    versions.forecast_upper,
    coalesce(used.unit, indicators.unit) as unit,
    coalesce(used.frequency, indicators.frequency) as frequency,
    case
        when versions.state <> 'released' then null
        when versions.time_precision = 'exact' then versions.scheduled_at
        else (versions.due_date + 1)::timestamp at time zone 'UTC' - interval 1 millisecond
    end as released_at,
    if(
        versions.actual is null,
        null,
        observation_id(used.source_id, used.indicator_id, used.entity_id, used.frequency, versions.covered_period, versions.vintage)
    ) as observation_id,
    versions.schedule_version::integer as schedule_version,
    versions.moment as observed_at,
    lead(versions.moment) over (partition by versions.event_id order by versions.moment) as known_to,
    versions.source_id,
    if(starts_with(runs.key, 'sample/'), null, coalesce(versions.url, runs.address)) as source_url,
    if(starts_with(runs.key, 'sample/'), 'SAMPLE DATA, generated, not real: ', '') || sources.attribution as attribution,
    versions.entry_id,
    coalesce(list_position(releases.canonical_ids, versions.canonical_id), 1)::integer as indicator_place,
    coalesce(versions.canonical_id = 'policy_rate', false) as is_decision,
    runs.key as payload_key,
from versions
inner join reference.releases using (release_id)
inner join reference.sources using (source_id)
inner join series.entities using (entity_id)
left join series.runs using (run_id)
left join reference.canonical_indicators as indicators on indicators.canonical_id = versions.canonical_id
left join derived.all_series as used on used.series_no = versions.series_no
order by versions.event_id, versions.moment
