-- One row per derived indicator, whether or not there are values of it. is_redistributable: some combination of inputs may be passed on; also
-- true while there is none at all, because then nothing is withheld. preferred_source_id: the first of the preferred sources that it has.
with

series as (
    select
        canonical_id,
        list(distinct source_id order by source_id) as source_ids,
        list(distinct entity_id order by entity_id) as entity_ids,
        count(distinct entity_id) as entity_count,
        sum(observation_count)::bigint as observation_count,
        max(latest_period_end) as latest_period_end,
        bool_or(is_redistributable) as is_redistributable,
        arg_min(source_id, (source_rank, source_id)) filter (where source_rank is not null) as preferred_source_id,
    from published.series
    where is_derived
    group by all
)

select
    catalogue.slug,
    indicators.name,
    catalogue.family,
    indicators.unit,
    indicators.frequency as cadence,
    indicators.derived_from,
    coalesce(series.source_ids, []) as source_ids,
    coalesce(series.entity_ids, []) as entity_ids,
    coalesce(series.entity_count, 0) as entity_count,
    coalesce(series.observation_count, 0)::bigint as observation_count,
    series.latest_period_end,
    knowledge_cutoff() as refreshed_at,
    coalesce(series.is_redistributable, true) as is_redistributable,
    coalesce(series.preferred_source_id, series.source_ids[1]) as preferred_source_id,
from reference.derived_catalogue as catalogue
inner join reference.canonical_indicators as indicators on indicators.canonical_id = catalogue.slug
left join series on series.canonical_id = catalogue.slug
order by catalogue.slug
