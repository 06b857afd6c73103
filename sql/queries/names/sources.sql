-- Every source, with series or without. Grain: source_id.
select source_id as name
from published.sources
order by name
