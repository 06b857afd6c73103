-- Every canonical indicator.
select *
from published.canonical_indicators
