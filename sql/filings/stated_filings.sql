-- Filings as they are listed, and what is said otherwise of them later: one row per filer, accession_number and statement of it. version_at: since
-- when it is known; what is said otherwise of a filing later is known from its retrieval.
select
    *,
    row_number() over (partition by source_id, cik, accession_number order by retrieved_at, observed_at, record_hash) as version_no,
    if(version_no = 1, observed_at, greatest(observed_at, retrieved_at)) as version_at,
from filings.listed_filings
