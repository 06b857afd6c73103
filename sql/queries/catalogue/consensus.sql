-- The expected value of each print for which a survey asks. Grain: series_no, period_end.
select
    series_no,
    period_end,
    consensus,
    source_id,
    observation_id,
    published_at,
    observed_at,
from published.consensus
order by series_no, period_end
