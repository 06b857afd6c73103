-- The amount of money of each quarter over time: as stated by filings, else computed from longer periods. One row per
-- cik, statement_type, key, period_start, period_end and change; in force during [observed_at, known_to). Once a filing
-- has stated a quarter, computed values no longer count.
with

reported as (
    select cik, statement_type, key, concept, period_start, period_end, value, observed_at
    from filings.statement_values
    where is_in_part(cik) and span = 'quarter' and kind = 'money'
),

first_reported as (
    select cik, statement_type, key, period_start, period_end, min(observed_at) as reported_at from reported
    group by all
),

derived as (
    select
        derivations.cik,
        derivations.statement_type,
        derivations.key,
        derivations.concept,
        derivations.period_start,
        derivations.period_end,
        derivations.value,
        derivations.observed_at,
    from filings.statement_derivations as derivations
    left join first_reported using (cik, statement_type, key, period_start, period_end)
    where is_in_part(derivations.cik) and derivations.period_type = 'quarterly' and (reported_at is null or reported_at > derivations.observed_at)
)

select
    *,
    lead(observed_at, 1, timestamptz 'infinity')
        over (partition by cik, statement_type, key, period_start, period_end order by observed_at, value)
        as known_to,
from (
    from reported
    union all
    from derived
)
where period_end - period_start between 69 and 109
