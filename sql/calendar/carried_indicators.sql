-- The existing indicators that releases bring: one row per entity_id and canonical_id. known_from: always, if reference
-- data list the series, or the level that it transforms; otherwise from the first number on.
with

carried as (
    select distinct entity_id, unnest(canonical_ids) as canonical_id
    from reference.releases
),

listed as (
    select entity_id, canonical_id from reference.series
    union
    select series.entity_id, indicators.slug
    from reference.series
    inner join reference.derived_indicators as indicators on list_contains(string_split(indicators.input, ';'), series.canonical_id)
),

found as (
    select entity_id, canonical_id, timestamptz '-infinity' as known_from
    from listed
    union all
    select series.entity_id, series.canonical_id, min(vintages.observed_at)
    from derived.all_series as series
    inner join derived.all_vintages as vintages using (series_no)
    semi join carried using (entity_id, canonical_id)
    group by all
)

select entity_id, canonical_id, entity_id || '_' || canonical_id as indicator_id, min(known_from) as known_from
from found
semi join carried using (entity_id, canonical_id)
group by all
