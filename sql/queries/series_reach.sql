-- How far each of the given series reached at a moment, in what was in force then. One row per series of which something was known.
-- As series_statistics says it of now.
select
    series_no,
    min(period_end) filter (where value is not null) as first_period_end,
    max(period_end) filter (where value is not null and (known_to is null or known_to > $as_of::timestamptz)) as latest_period_end,
    count(*) filter (where known_to is null or known_to > $as_of::timestamptz) as observation_count,
    count(*) as vintage_count,
    max(observed_at) as latest_observed_at,
from published.vintages
where
    series_no between $series_from::integer and $series_to::integer
    and ($series_nos::integer[] is null or series_no in (select unnest($series_nos::integer[])))
    and observed_at <= $as_of::timestamptz
group by all
