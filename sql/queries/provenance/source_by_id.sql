-- A source by id.
select source_id, name, provider, source_tier, homepage_url, license
from published.sources
where source_id = $source_id::varchar
