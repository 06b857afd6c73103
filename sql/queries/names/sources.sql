-- Every source, with or without series. Grain: source_id.
select source_id as name
from published.sources
order by name
