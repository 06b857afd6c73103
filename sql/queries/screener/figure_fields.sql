-- The fields of companies that are not observations.
select field, label, kind, unit, source_tier
from published.company_figure_fields
order by field
