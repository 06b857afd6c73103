-- One row per series in the staged payloads. series_ix is its number within this append. entity_id or canonical_id is
-- null if the reference data does not know the publisher's key.
with

stated as (
    select distinct series_code, canonical_id, entity_ref, frequency, unit
    from staged.stated
),

identified as (
    select
        stated.*,
        coalesce(stated.canonical_id, listed.canonical_id) as resolved_canonical_id,
        coalesce(refs.entity_id, if(contains(stated.entity_ref, ':'), null, stated.entity_ref), listed.entity_id) as resolved_entity_id,
        coalesce(stated.frequency, listed.frequency) as resolved_frequency,
        coalesce(stated.unit, listed.unit) as resolved_unit,
    from stated
    left join reference.series as listed
        on listed.source_id = getvariable('source_id') and listed.series_code = stated.series_code
    left join staged.entity_refs as refs
        on refs.entity_ref = stated.entity_ref
),

checked as (
    select
        identified.* replace (
            if(indicators.canonical_id is null, null, identified.resolved_canonical_id) as resolved_canonical_id,
            if(identified.resolved_frequency is null, null, identified.resolved_entity_id) as resolved_entity_id
        )
    from identified
    left join reference.canonical_indicators as indicators
        on indicators.canonical_id = identified.resolved_canonical_id
)

select
    row_number() over (order by series_code, canonical_id, entity_ref, frequency, unit)::integer as stated_ix,
    dense_rank()
        over (order by coalesce(resolved_entity_id || '_' || resolved_canonical_id, ' ' || series_code), coalesce(resolved_frequency, ''))
    ::integer as series_ix,
    series_code,
    canonical_id,
    entity_ref,
    frequency,
    unit,
    resolved_canonical_id,
    resolved_entity_id,
    resolved_frequency,
    resolved_unit,
    resolved_entity_id || '_' || resolved_canonical_id as indicator_id,
from checked
