-- A company's reporting currency over time: that of most facts of its newest annual report, and before the first one,
-- of its newest interim report. One row per cik and change of currency. A convenience translation of the newest year
-- has fewer facts.
with

filed as (
    select cik, accession_number, currency, is_annual_form(form) as is_annual, min(observed_at) as known_from, max(period_end) as period_end
    from filings.statement_facts
    where is_in_part(cik)
    group by all
),

known as (
    select
        cik,
        known_from,
        coalesce(
            max(if(is_annual, { period_end: period_end, known_from: known_from, currency: currency }, null)) over so_far,
            max({ period_end: period_end, known_from: known_from, currency: currency }) over so_far
        ).currency as currency,
    from filed
    window so_far as (partition by cik order by known_from, period_end, currency)
    qualify row_number() over (partition by cik, known_from order by period_end desc, currency desc) = 1
)

select *
from known
qualify currency is distinct from lag(currency) over (partition by cik order by known_from)
order by cik, known_from
