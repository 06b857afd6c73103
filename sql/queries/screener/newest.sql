-- The newest value of each of the given series, out of what is published ready.
select series_no, period, period_end, value, vintage, observed_at, retrieved_at
from published.latest
where
    series_no in (select unnest($series_nos::integer[]))
    and ($period_from::date is null or period_end >= $period_from::date)
    and value is not null
order by series_no
