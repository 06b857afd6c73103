-- One row per canonical indicator, with its number of countries and observations.
with

counts as (
    select
        canonical_id,
        count(distinct country) as country_count,
        sum(observation_count)::bigint as observation_count,
        max(latest_period_end) as latest_period_end,
        max(latest_observed_at) as latest_observed_at,
    from published.series
    group by all
)

select
    indicators.*,
    retired.ceased_at,
    coalesce(counts.country_count, 0) as country_count,
    coalesce(counts.observation_count, 0)::bigint as observation_count,
    counts.latest_period_end,
    coalesce(counts.latest_observed_at, (select min(started_at) from lake.attempts)) as updated_at,
from reference.canonical_indicators as indicators
left join series.retired_indicators as retired using (canonical_id)
left join counts using (canonical_id)
order by indicators.canonical_id
