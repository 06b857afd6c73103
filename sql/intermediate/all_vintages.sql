-- Observed and derived vintages together. Grain: series_no, period_end, observed_at.
from intermediate.vintages
union all by name
from intermediate.derived_vintages
