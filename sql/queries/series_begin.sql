-- When the first vintage of the given series became known; null where there is none.
select min(observed_at) as first_observed_at
from published.vintages
where
    series_no between $series_from::integer and $series_to::integer
    and ($series_nos::integer[] is null or series_no in (select unnest($series_nos::integer[])))
