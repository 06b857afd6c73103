-- A series whose entity or source nobody describes.
select series_no, indicator_id, entity_id
from published.series
where entity_name is null or attribution is null
