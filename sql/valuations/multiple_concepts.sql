-- Which concepts state what the valuation multiples are made of. Grain: metric, concept. `rank`: order of preference among synonyms.
-- kind: flow (a duration, in money), per_share, instant (a balance), share_count.
select
    metric,
    case
        when kind = 'per_share' then 'per_share' when kind = 'shares' then 'share_count' when period_type = 'instant' then 'instant' else 'flow'
    end as kind,
    unnest(concepts) as concept,
    generate_subscripts(concepts, 1) as rank,
from reference.xbrl_concepts
where metric is not null
