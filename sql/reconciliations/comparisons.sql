-- One row per comparison of two statements of one number: agrees, dated (differs, as the days on which both were made explain) or disagrees.
-- left_no: the series of the left; of facts of filings null, and subject names the filer, the concept and the unit.
from reconciliations.vintage_comparisons
union all by name
from reconciliations.newest_comparisons
union all by name
from reconciliations.filed_comparisons
