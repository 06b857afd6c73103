-- Observed vintages without their ingestion run, so that their provenance would end nowhere.
select vintages.series_no, vintages.period_end, vintages.run_id
from published.vintages
anti join published.runs using (run_id)
where vintages.inputs is null
