-- Filings as listed, and later changes of their entries: one row per filer, accession_number and statement of it.
-- version_at: the time from which it is known. A later change is known from its retrieval.
select
    *,
    row_number() over (partition by source_id, cik, accession_number order by retrieved_at, observed_at, record_hash) as version_no,
    if(version_no = 1, observed_at, greatest(observed_at, retrieved_at)) as version_at,
from filings.listed_filings
