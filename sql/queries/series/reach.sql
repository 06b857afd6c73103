-- The reach of each given series at a moment, from the rows in force then, in periods that end on or after a day. One
-- row per series with data. Same as series_statistics for the present.
select
    series_no,
    min(period_end) filter (where value is not null) as first_period_end,
    max(period_end) filter (where value is not null and is_in_force(observed_at, known_to, $as_of::timestamptz)) as latest_period_end,
    count(*) filter (where is_in_force(observed_at, known_to, $as_of::timestamptz)) as observation_count,
    count(*) as vintage_count,
    max(observed_at) as latest_observed_at,
from
    asked_vintages(
        series_from := $series_from::integer,
        series_to := $series_to::integer,
        series_nos := $series_nos::integer[],
        as_of := $as_of::timestamptz,
        period_from := $period_from::date
    )
group by all
