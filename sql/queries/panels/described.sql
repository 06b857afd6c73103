-- The intervals of a panel's rows with what their rows share, so that each text and day is made once for an interval, which may
-- have many dates. `panel_intervals` stands for cells.sql or changes.sql. A large panel is described in parts: the numbers of a
-- part begin after `rows_before`. Grain: slot and held_from. Lists have the same order.
with

facts as (
    select
        unnest($fact_nos::integer[]) as series_no,
        unnest($fact_places::integer[]) as fact,
        unnest($fact_entities::varchar[]) as entity_id,
        unnest($fact_indicators::varchar[]) as indicator_id,
        unnest($fact_frequencies::varchar[]) as frequency,
        unnest($fact_sources::varchar[]) as source_id,
),

intervals as (
    select
        slot,
        series_no,
        held_from,
        held_to,
        period,
        period_end,
        value,
        vintage,
        observed_at,
        release_no,
        is_revised,
        is_backfill,
        grade,
        freshness,
        is_eligible,
    from panel_intervals as found
)

select
    row_number() over () + $rows_before::integer as interval_no,
    intervals.* replace (make_timestamptz(epoch_us(intervals.observed_at) // 1000 * 1000) as observed_at),
    facts.fact,
    observation_id(
        facts.source_id, facts.indicator_id, facts.entity_id, facts.frequency, intervals.period, intervals.vintage
    ) as observation_id,
    middle_of_period(facts.frequency, intervals.period_end) as middle,
from intervals
inner join facts using (series_no)
