-- True if a row that held during [observed_at, known_to) was the newest known at the cutoff (inclusive), or still is if
-- there is no cutoff.
create or replace macro is_in_force(observed_at, known_to, cutoff) as
(cutoff is null or observed_at <= cutoff) and (known_to is null or known_to > cutoff)
