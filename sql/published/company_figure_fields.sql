-- The fields of a screen of companies that are no observations: see reference.company_figures.
select field, label, kind, unit, source_tier
from reference.company_figures
order by field
