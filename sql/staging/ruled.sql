-- The publication time of periods in staged payloads, for series with a publication rule: one row per series_ix and
-- period_end. No row if a value of the period was retrieved before the rule's time; then everything about it is known
-- from its retrieval.
with

rules as (
    select distinct on (series.series_ix)
        series.series_ix,
        series.indicator_id,
        series.resolved_frequency as frequency,
        rules.step,
        rules.hour,
        rules.holidays,
        coalesce(rules.timezone, countries.timezone) as timezone,
    from staged.series
    inner join reference.publication_rules as rules
        on rules.source_id = getvariable('source_id')
        and rules.canonical_id = series.resolved_canonical_id
        and coalesce(rules.entity_id, series.resolved_entity_id) = series.resolved_entity_id
    left join reference.countries on lower(countries.iso2) = series.resolved_entity_id
    where coalesce(rules.timezone, countries.timezone) is not null
    order by series.series_ix, rules.entity_id nulls last
),

stated as (
    select series.series_ix, observations.period_end, min(if(observations.value is null, null, payloads.retrieved_at)) as first_retrieved_at
    from staged.stated as observations
    inner join staged.series
        on series.series_code = observations.series_code
        and series.canonical_id is not distinct from observations.canonical_id
        and series.entity_ref is not distinct from observations.entity_ref
        and series.frequency is not distinct from observations.frequency
        and series.unit is not distinct from observations.unit
    inner join staged.payloads using (payload_no)
    semi join rules on rules.series_ix = series.series_ix
    group by all
),

steps as (
    select
        *,
        case step
            when 'same_day' then period_end
            when 'next_business_day' then period_end + 1
            when 'next_week' then period_end + 8 - isodow(period_end)::integer
        end as first_day,
    from (
        select distinct rules.step, rules.holidays, stated.period_end
        from stated
        inner join rules using (series_ix)
    )
),

days as (
    select step, holidays, period_end, period_end as day
    from steps
    where step = 'same_day'
    union all
    select steps.step, steps.holidays, steps.period_end, min(steps.first_day + ahead.days) as day
    from steps
    cross join (select unnest(range(15))::integer as days) as ahead
    left join reference.holidays as closed
        on closed.calendar = steps.holidays
        and closed.day = steps.first_day + ahead.days
    where steps.step <> 'same_day' and closed.day is null and isodow(steps.first_day + ahead.days) <= 5
    group by all
),

published as (
    select
        rules.indicator_id,
        rules.frequency,
        stated.series_ix,
        stated.period_end,
        stated.first_retrieved_at,
        (days.day::timestamp + rules.hour) at time zone rules.timezone as published_at,
    from stated
    inner join rules using (series_ix)
    inner join days
        on days.period_end = stated.period_end
        and days.step = rules.step
        and days.holidays is not distinct from rules.holidays
)

select series_ix, period_end, published_at
from published
where
    coalesce(first_retrieved_at >= published_at, true)
    and not exists (
        select 1
        from staged.lake_observations as held
        where
            held.indicator_id = published.indicator_id
            and held.frequency = published.frequency
            and held.period_end = published.period_end
            and held.value is not null
            and held.retrieved_at < published.published_at
    )
