-- One row per series: source x indicator x entity x frequency. series_no is its number. It is stable while no series of
-- the same source is inserted before it. The source's number is in the bits above the twentieth. ceased_at: the time
-- from which the retirement of the collection is known; null for a live series.
with

found as (
    select
        source_id,
        indicator_id,
        frequency,
        any_value(entity_id) as entity_id,
        any_value(canonical_id) as canonical_id,
        arg_max(series_code, change_sequence) as series_code,
        arg_max(unit, change_sequence) as unit,
        arg_max(run_id, change_sequence) as newest_run_id,
    from series.attributed_observations
    group by all
),

-- A publisher's series may be listed under several codes; they describe the same series.
described as (
    select distinct on (source_id, canonical_id, entity_id, frequency) series.*, cessations.known_on as ceased_on
    from reference.series
    left join reference.cessations using (source_id, series_code)
    order by source_id, canonical_id, entity_id, frequency, series_code
)

select
    sources.source_no * 1048576 + row_number() over (partition by found.source_id order by found.indicator_id, found.frequency) as series_no,
    found.source_id,
    found.indicator_id,
    found.entity_id,
    found.canonical_id,
    found.series_code,
    found.frequency,
    found.unit,
    coalesce(described.provider, sources.provider) as provider,
    coalesce(described.source_tier, sources.source_tier) as source_tier,
    described.currency,
    coalesce(described.is_redistributable, sources.is_redistributable) as is_redistributable,
    coalesce(described.license, sources.license) as license,
    if(described.source_id is null, sources.rights_note, described.rights_note) as rights_note,
    (coalesce(described.ceased_on, retired.ceased_on) + 1)::timestamp at time zone 'UTC' - interval 1 millisecond as ceased_at,
    described.ceased_final_period,
    coalesce(described.successor_canonical_id, indicators.successor_canonical_id) as successor_canonical_id,
    found.newest_run_id,
from found
inner join reference.sources using (source_id)
inner join reference.canonical_indicators as indicators using (canonical_id)
left join series.retired_indicators as retired using (canonical_id)
left join described
    on described.source_id = found.source_id
    and described.canonical_id = found.canonical_id
    and described.entity_id = found.entity_id
    and described.frequency = found.frequency
