-- The day from which the age of a print counts: the end of its period. For a projection, whose period may lie in the
-- future, the day of its round.
create or replace macro print_day(canonical_id, period_end, observed_at) as
if(is_projection(canonical_id), (observed_at at time zone 'UTC')::date, period_end)
