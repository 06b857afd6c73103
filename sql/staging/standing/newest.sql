-- The newest statement of each period among the loaded rows. A missing value is a statement too.
select series_no, period_end, max(observed_at) as observed_at, arg_max_null(value, observed_at) as value
from standing.heard
group by all
