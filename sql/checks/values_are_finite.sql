-- Values that are not finite numbers.
select series_no, period_end, value
from published.vintages
where not isfinite(value)
