-- One row per comparison of two statements of one number: agrees, dated (differs, because the two were made on
-- different days) or disagrees. left_no: the series of the left; null for facts of filings, and then subject names the
-- filer, the concept and the unit.
from reconciliations.vintage_comparisons
union all by name
from reconciliations.newest_comparisons
union all by name
from reconciliations.filed_comparisons
