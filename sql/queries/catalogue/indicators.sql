-- By what names canonical indicators are asked for. Grain: canonical_id.
select canonical_id, slug, coalesce(aliases, []) as aliases
from published.canonical_indicators
order by canonical_id
