-- Filings, each from one list. A filing in submissions files is not taken from the quarterly data sets too, because
-- these have fewer properties, and its acceptance only to the minute. One row per filer, accession_number and statement
-- of it.
select *
from lake.filings
where
    source_id <> 'sec_fsds'
    or (cik, accession_number) not in (
        select (cik, accession_number) from lake.filings
        where source_id <> 'sec_fsds'
    )
