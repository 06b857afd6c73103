-- When the first vintage of the given series became known, of periods that end within the bounds. Null if there is none.
select min(observed_at) as first_observed_at
from
    asked_vintages(
        series_from := $series_from::integer,
        series_to := $series_to::integer,
        series_nos := $series_nos::integer[],
        period_from := $period_from::date,
        period_to := $period_to::date
    )
