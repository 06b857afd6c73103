-- Trailing twelve months beside the sum of the four quarters that make them up, as both were known when the former became known. One row per cik,
-- statement_type, key, period_start, period_end and observed_at of those for which all four quarters are known. A gap of more than 0.5 percent:
-- not reconciled. Most often the scope of the statements changed and part of the inputs are of the new one.
with

reported as (
    select cik, statement_type, key, period_start, period_end, value, observed_at
    from intermediate.statement_values
    where span = 'quarter'
),

first_reported as (select cik, statement_type, key, period_start, period_end, min(observed_at) as reported_at from reported group by all),

derived as (
    select derivations.cik, derivations.statement_type, derivations.key, derivations.period_start, derivations.period_end, derivations.value, derivations.observed_at
    from intermediate.statement_derivations as derivations
    left join first_reported using (cik, statement_type, key, period_start, period_end)
    where derivations.period_type = 'quarterly' and (reported_at is null or reported_at > derivations.observed_at)
),

quarters as (
    select
        *,
        lead(observed_at, 1, timestamptz 'infinity') over (partition by cik, statement_type, key, period_start, period_end order by observed_at, value) as known_to,
    from (from reported union all from derived)
    where period_end - period_start between 69 and 109
),

summed as (
    select
        rolled.cik,
        rolled.statement_type,
        rolled.key,
        rolled.period_start,
        rolled.period_end,
        rolled.observed_at,
        rolled.derivation,
        rolled.value,
        sum(quarters.value order by quarters.period_end) as sum_of_quarters,
    from intermediate.statement_derivations as rolled
    inner join quarters
        on (quarters.cik, quarters.statement_type, quarters.key) = (rolled.cik, rolled.statement_type, rolled.key)
        and quarters.period_start >= rolled.period_start
        and quarters.period_end <= rolled.period_end
        and quarters.observed_at <= rolled.observed_at
        and quarters.known_to > rolled.observed_at
    where rolled.period_type = 'ttm'
    group by all
    having count(*) = 4 and sum(quarters.period_end - quarters.period_start + 1) = rolled.period_end - rolled.period_start + 1
)

select
    *,
    abs(value - sum_of_quarters) <= 0.005 * greatest(abs(value), abs(sum_of_quarters)) as is_reconciled,
from summed
