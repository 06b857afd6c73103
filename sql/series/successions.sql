-- Filers with a successor, as when a holding company takes over ticker and reports. One row per cik. Conditions: the
-- ticker passed from one to the other; the earlier filer kept none and had reported within 400 days; the later one has
-- not reported before the earlier one stopped. known_from: the time at which the ticker passed.
with

handed as (
    select
        lag(cik) over (partition by ticker order by claimed_from) as cik,
        lag(held_to) over (partition by ticker order by claimed_from) as held_to,
        cik as successor_cik,
        claimed_from,
    from series.ticker_holders
),

reported as (
    select cik, min(filed) as first_filed, max(filed) as last_filed
    from lake.filings
    where is_periodic_form(form)
    group by all
)

select distinct on (handed.cik) handed.cik, handed.successor_cik, handed.claimed_from as known_from
from handed
inner join reported as earlier using (cik)
left join reported as later on later.cik = handed.successor_cik
where
    handed.cik != handed.successor_cik
    and handed.held_to = handed.claimed_from
    and (handed.claimed_from at time zone 'UTC')::date - earlier.last_filed <= 400
    and coalesce(later.first_filed > earlier.last_filed, true)
    and handed.cik not in (
        select cik from series.ticker_holders
        where held_to is null
    )
order by handed.cik, handed.claimed_from desc, handed.successor_cik
