-- A version of an entry of the calendar that ends before it begins, has a number before it is released, is released before it is due, or has an interval
-- that does not hold its forecast.
select event_id, observed_at, known_to, status, scheduled_at, actual, forecast
from published.calendar
where
    known_to <= observed_at
    or (actual is not null and (status <> 'released' or observation_id is null))
    or (status = 'released' and observed_at < scheduled_at)
    or not coalesce(forecast between forecast_lower and forecast_upper, true)
