-- The market value of the shares that non-insiders hold, as annual reports state it for the middle of their year: the
-- newest one known. One row per cik and known_at.
select distinct on (cik, known_at)
    cik,
    known_at,
    period_end as float_date,
    value as public_float,
    retrieved_at,
    ingested_at,
    change_sequence,
from (
    select *, observed_at as known_at, max(period_end) over (partition by cik order by observed_at) as newest_date
    from filings.company_facts
    where taxonomy = 'dei' and concept = 'EntityPublicFloat' and unit = 'USD' and value > 0
)
where period_end = newest_date
order by cik, known_at, accession_number desc
