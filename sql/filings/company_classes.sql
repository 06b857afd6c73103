-- The classification of filers over time: one row per cik and change of SIC code or description; in force during
-- [known_from, known_to). EDGAR gives only today's code, so a filer has no code before the first retrieval. sector: the SIC
-- division. industry: EDGAR's description of the code. is_financial: banks, brokers and insurers, for which enterprise
-- value, sales and cash flow are not meaningful.
with

described as (
    select distinct on (cik, observed_at)
        cik,
        observed_at,
        sic,
        sic_description,
        retrieved_at,
        coalesce(arrivals.ingested_at, retrieved_at) as ingested_at,
        coalesce(companies.change_sequence, arrivals.change_sequence, 0) as change_sequence,
    from lake.companies
    left join series.arrivals using (run_id)
    where sic is not null
    order by cik, observed_at, record_hash desc
),

changes as (
    select *
    from described
    window moments as (partition by cik order by observed_at)
    qualify lag(sic) over moments is distinct from sic or lag(sic_description) over moments is distinct from sic_description
)

select
    changes.cik,
    changes.sic,
    divisions.name as sector,
    changes.sic_description as industry,
    changes.sic between '6000' and '6499' as is_financial,
    changes.observed_at as known_from,
    lead(changes.observed_at) over (partition by changes.cik order by changes.observed_at) as known_to,
    changes.retrieved_at,
    changes.ingested_at,
    changes.change_sequence,
from changes
left join reference.sic_divisions as divisions on changes.sic between divisions.first_sic and divisions.last_sic
order by changes.cik, changes.observed_at
