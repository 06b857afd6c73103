-- The newest value of each series of some indicators, as known at the cutoff. Infinity means the latest knowledge.
-- epoch: the calendar year of the cutoff.
select series_no, period, period_end, value, vintage, observed_at, retrieved_at
from published.states
where
    epoch = $epoch::smallint
    and indicator_no between $first_no::integer and $last_no::integer
    and list_contains($indicator_nos::integer[], indicator_no)
    and is_in_force(known_from, known_to, $as_of::timestamptz)
    and period_end >= $period_from::date
