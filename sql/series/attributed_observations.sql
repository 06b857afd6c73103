-- The observations of the lake, without quotes that belong to nobody: those of a symbol on days on which their entity
-- did not hold it, or given to a filer that did not hold it at their retrieval. See quoted_days.
select observations.*
from lake.observations
left join series.quoted_days as days
    on days.source_id = observations.source_id
    and days.symbol = split_part(observations.series_code, '.', 1)
    and days.entity_id = observations.entity_id
    and days.retrieved_at = observations.retrieved_at
where coalesce(days.is_holder and observations.period_end between days.first_day and days.last_day, true)
