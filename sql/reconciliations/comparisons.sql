-- One row per comparison of two statements of one number: agrees, dated (differs, as the days on which both were made explain) or disagrees.
from reconciliations.vintage_comparisons
union all by name
from reconciliations.newest_comparisons
