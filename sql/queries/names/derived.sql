-- Every derived indicator with its family. Grain: slug.
select
    slug,
    family,
from published.derived_indicators
order by slug
