-- Which us-gaap concepts state which line of which statement, in order of preference; for revenue the largest of a period is the total.
select
    statement_type,
    position,
    key,
    label,
    kind,
    unnest(concepts) as concept,
    generate_subscripts(concepts, 1) as rank,
from reference.xbrl_concepts
where statement_type is not null
