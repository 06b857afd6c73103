-- Observed and derived vintages. Grain: series_no, period_end, observed_at.
from series.vintages
union all by name
from derived.derived_vintages
