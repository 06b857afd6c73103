-- The rows of a panel, as its bulk forms have them. `panel_places` and `panel_described` stand for places.sql and described.sql.
-- The places are sorted, because they are narrow, and each looks up its interval. A join in its place might be turned round and
-- lose the order. COPY is told to preserve it. Texts that all rows of a series share come from lists. An empty text is null.
-- Grain: date, slot and moment.
with

places as (
    select *
    from panel_places
    order by day, slot, moment
),

looked_up as (
    select
        places.day,
        places.moment,
        places.slot,
        (
            select
                {
                    'fact': described.fact,
                    'observation_id': described.observation_id,
                    'vintage': described.vintage,
                    'value': described.value,
                    'period': described.period,
                    'period_end': described.period_end,
                    'middle': described.middle,
                    'observed_at': described.observed_at,
                    'release_no': described.release_no,
                    'is_revised': described.is_revised,
                    'is_backfill': described.is_backfill,
                    'freshness': described.freshness,
                    'is_eligible': described.is_eligible,
                    'grade': described.grade,
                    'held_to': described.held_to
                }
            from panel_described as described
            where described.interval_no = places.interval_no
        ) as own,
    from places
),

found as (
    select
        day,
        moment,
        slot,
        unnest(own),
    from looked_up
)

select
    day as date,
    make_timestamptz(moment // 1000 * 1000) as as_of,
    ($fact_entities::varchar[])[fact] as entity_id,
    nullif(($fact_countries::varchar[])[fact], '') as country,
    ($slot_factors::varchar[])[slot + 1] as factor,
    nullif(($fact_keys::varchar[])[fact], '') as factor_key,
    ($fact_indicators::varchar[])[fact] as indicator_id,
    observation_id,
    vintage,
    value,
    nullif(($fact_units::varchar[])[fact], '') as unit,
    period,
    period_end,
    observed_at,
    if(is_backfill, null, release_no) as release_number,
    is_revised,
    is_backfill,
    ($fact_sources::varchar[])[fact] as source_id,
    ($fact_tiers::varchar[])[fact] as source_tier,
    freshness as freshness_status,
    is_eligible as scoring_eligible,
    day - period_end as eop_lag,
    day - middle as mop_lag,
    grade,
    {
        'redistributable': ($fact_redistributable::integer[])[fact] = 1,
        'license': ($fact_licenses::varchar[])[fact],
        'note': nullif(($fact_notes::varchar[])[fact], '')
    } as rights,
    if(
        $is_change::boolean and held_to <= epoch_us($until::timestamptz), make_timestamptz(held_to // 1000 * 1000), null
    ) as known_to,
from found
