-- A value that is not a number.
select series_no, period_end, value
from published.vintages
where not isfinite(value)
