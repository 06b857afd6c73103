-- The furthest period of each retrieval in the staged series, by their numbers. No unique grain: a retrieval may have
-- several rows per series.
select distinct series.series_ix, reach.retrieved_at, reach.period_end
from staged.series
inner join standing.series as met
    on met.indicator_id = series.indicator_id
    and met.frequency = series.resolved_frequency
inner join standing.reach using (series_no)
