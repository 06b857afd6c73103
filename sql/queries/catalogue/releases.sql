-- The event that carried each observation, with the interval [observed_at, known_to) in which that was known.
select
    unnest(observation_ids) as observation_id,
    event_id,
    title,
    observed_at,
    known_to,
from published.events
order by all
