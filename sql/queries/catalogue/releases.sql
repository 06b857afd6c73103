-- Which event carried which observation, and in [observed_at, known_to) was known to.
select
    unnest(observation_ids) as observation_id,
    event_id,
    title,
    observed_at,
    known_to,
from published.events
order by all
