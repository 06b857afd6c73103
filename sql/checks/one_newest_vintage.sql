-- Periods of a series with more or fewer than one vintage in force.
select series_no, period_end, count(*) filter (where known_to is null) as in_force
from published.vintages
group by all
having in_force != 1
