-- The rows of a panel, as its bulk forms have them. `panel_places` and `panel_described` stand for places.sql and described.sql.
-- The rows are sorted after the join, because a join keeps no order. What all rows of a series share comes from lists after the
-- sort, so that it need not be sorted too. An empty text is null. Grain: date, slot and moment.
with

found as (
    select
        places.day,
        places.moment,
        places.slot,
        own.fact,
        own.observation_id,
        own.vintage,
        own.value,
        own.period,
        own.period_end,
        own.middle,
        own.observed_at,
        own.release_no,
        own.is_revised,
        own.is_backfill,
        own.freshness,
        own.is_eligible,
        own.grade,
        own.held_to,
    from panel_places as places
    inner join panel_described as own using (interval_no)
    order by places.day, places.slot, places.moment
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
