-- The furthest period with a value of each retrieval, among the loaded rows.
select series_no, retrieved_at, max(period_end) as period_end
from standing.heard
where value is not null
group by all
