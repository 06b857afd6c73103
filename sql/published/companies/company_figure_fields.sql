-- The fields of a company screen that are not observations: see reference.company_figures.
select field, label, kind, unit, source_tier
from reference.company_figures
order by field
