-- When the first vintage of the given series, in periods that end on or after a day, became known. Null if there is
-- none.
select min(observed_at) as first_observed_at
from
    asked_vintages(
        series_from := $series_from::integer,
        series_to := $series_to::integer,
        series_nos := $series_nos::integer[],
        period_from := $period_from::date
    )
