-- Filings, each from one way of listing it: what submissions files list is not taken from the quarterly data sets too, which have fewer of its
-- properties and its acceptance to the minute. One row per filer, accession_number and statement of it.
select *
from lake.filings
where
    source_id <> 'sec_fsds'
    or (cik, accession_number) not in (
        select (cik, accession_number) from lake.filings
        where source_id <> 'sec_fsds'
    )
