-- The concepts for the inputs of valuation multiples. Grain: metric, taxonomy, concept. `rank`: order of preference
-- among synonyms. kind: flow (a duration, in money), per_share, instant (a balance), share_count.
select
    metric,
    case
        when kind = 'per_share' then 'per_share' when kind = 'shares' then 'share_count' when period_type = 'instant' then 'instant' else 'flow'
    end as kind,
    taxonomy,
    unnest(named) as concept,
    generate_subscripts(named, 1) as rank,
from (
    select *, if(metric = 'shares_cover', 'dei', 'us-gaap') as taxonomy, concepts as named
    from reference.xbrl_concepts
    union all
    select *, 'ifrs-full' as taxonomy, ifrs_concepts as named
    from reference.xbrl_concepts
)
where metric is not null
