-- The rows of a panel, as its bulk forms have them, in the order of places.sql. `panel_places` and `panel_described` stand for
-- places.sql and described.sql. What a row has beside its place comes from lists by number: a join might change the order. An
-- empty text is null. Grain: date, slot and moment.
with

described_rows as (
    select list(described order by interval_no) as rows
    from panel_described as described
),

found as (
    select
        day,
        moment,
        slot,
        (select rows from described_rows)[interval_no] as own,
    from panel_places as places
)

select
    day as date,
    make_timestamptz(moment // 1000 * 1000) as as_of,
    ($fact_entities::varchar[])[own.fact] as entity_id,
    nullif(($fact_countries::varchar[])[own.fact], '') as country,
    ($slot_factors::varchar[])[slot + 1] as factor,
    nullif(($fact_keys::varchar[])[own.fact], '') as factor_key,
    ($fact_indicators::varchar[])[own.fact] as indicator_id,
    own.observation_id,
    own.vintage,
    own.value,
    nullif(($fact_units::varchar[])[own.fact], '') as unit,
    own.period,
    own.period_end,
    own.observed_at,
    if(own.is_backfill, null, own.release_no) as release_number,
    own.is_revised,
    own.is_backfill,
    ($fact_sources::varchar[])[own.fact] as source_id,
    ($fact_tiers::varchar[])[own.fact] as source_tier,
    own.freshness as freshness_status,
    own.is_eligible as scoring_eligible,
    day - own.period_end as eop_lag,
    day - own.middle as mop_lag,
    own.grade,
    {
        'redistributable': ($fact_redistributable::integer[])[own.fact] = 1,
        'license': ($fact_licenses::varchar[])[own.fact],
        'note': nullif(($fact_notes::varchar[])[own.fact], '')
    } as rights,
    if(
        $is_change::boolean and own.held_to <= epoch_us($until::timestamptz), make_timestamptz(own.held_to // 1000 * 1000), null
    ) as known_to,
from found
