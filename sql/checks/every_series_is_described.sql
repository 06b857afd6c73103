-- Series whose entity or source has no description.
select series_no, indicator_id, entity_id
from published.series
where entity_name is null or attribution is null
