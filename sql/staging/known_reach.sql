-- How far each retrieval reached in the staged series, in their numbers. Grain: none, a retrieval may stand in several rows of a series.
select distinct series.series_ix, reach.retrieved_at, reach.period_end
from staged.series
inner join standing.series as met
    on met.indicator_id = series.indicator_id
    and met.frequency = series.resolved_frequency
inner join standing.reach using (series_no)
