-- The entities of the given series, each with what these series hold of it. Grain: entity_id.
select
    entity_id,
    any_value(entity_name) as name,
    any_value(entity_type) as entity_type,
    any_value(country) as country,
    list(distinct indicator_id order by indicator_id) as indicator_ids,
    list(distinct source_id order by source_id) as source_ids,
    min(first_period_end) as first_period_end,
    max(latest_period_end) as latest_period_end,
    sum(observation_count)::bigint as observation_count,
from published.series
where series_no in (select unnest($series_nos::integer[]))
group by entity_id
