-- The newest value of each series of some indicators, as known at the cutoff. epoch: the calendar year of the cutoff.
select series_no, period, period_end, value, vintage, observed_at, retrieved_at
from published.states
where
    epoch = $epoch::smallint
    and indicator_no in (select unnest($indicator_nos::integer[]))
    and is_in_force(known_from, known_to, $as_of::timestamptz)
    and ($period_from::date is null or period_end >= $period_from::date)
