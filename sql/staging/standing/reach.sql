-- The furthest period with a value that each retrieval brought among the rows in hand.
select series_no, retrieved_at, max(period_end) as period_end
from standing.heard
where value is not null
group by all
