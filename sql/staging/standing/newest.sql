-- The newest statement of each period among the rows in hand; a missing value is one, too.
select series_no, period_end, max(observed_at) as observed_at, arg_max_null(value, observed_at) as value
from standing.heard
group by all
