-- Names by which canonical indicators can be found. Grain: canonical_id.
select canonical_id, slug, coalesce(aliases, []) as aliases
from published.canonical_indicators
order by canonical_id
