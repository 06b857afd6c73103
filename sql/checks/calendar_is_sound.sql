-- Versions of calendar entries with an error: the version ends before it begins, has a number before it is released, is
-- released before it is due (in the east a day begins up to 14 hours before that of UTC), or has an interval that does
-- not contain its forecast.
select event_id, observed_at, known_to, status, scheduled_at, actual, forecast
from published.calendar
where
    known_to <= observed_at
    or (actual is not null and (status <> 'released' or observation_id is null))
    or (status = 'released' and observed_at < scheduled_at - if(time_precision = 'exact', interval 0 hour, interval 14 hour))
    or not coalesce(forecast between forecast_lower and forecast_upper, true)
