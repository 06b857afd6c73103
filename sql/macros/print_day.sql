-- The day that the age of a print counts from: the end of its period; of a projection, whose period may lie ahead, the day of its round.
create or replace macro print_day(canonical_id, period_end, observed_at) as
if(is_projection(canonical_id), (observed_at at time zone 'UTC')::date, period_end)
