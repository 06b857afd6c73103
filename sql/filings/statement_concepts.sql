-- The concepts of us-gaap and ifrs-full for each line of a statement, in order of preference. For revenue, the largest
-- of a period is the total.
select
    statement_type,
    position,
    key,
    label,
    kind,
    taxonomy,
    unnest(named) as concept,
    generate_subscripts(named, 1) as rank,
from (
    select *, 'us-gaap' as taxonomy, concepts as named
    from reference.xbrl_concepts
    union all
    select *, 'ifrs-full' as taxonomy, ifrs_concepts as named
    from reference.xbrl_concepts
)
where statement_type is not null
