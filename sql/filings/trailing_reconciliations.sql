-- Trailing twelve months compared with the sum of their four quarters, both as of the time at which the former became
-- known. One row per cik, statement_type, key, period_start, period_end and observed_at. sum_of_quarters is null if not
-- all four are known. recasts: the amounts that comparatives added to the inputs. Not reconciled: a gap of more than
-- 0.5 percent, or inputs of different scope, which their quarters may share. Quarters of another scope than the year
-- prove nothing about it.
with

summed as (
    select
        rolled.cik,
        rolled.statement_type,
        rolled.key,
        rolled.period_start,
        rolled.period_end,
        rolled.observed_at,
        rolled.derivation,
        rolled.concept,
        rolled.value,
        rolled.rolled,
        count(*) as quarters,
        sum(quarters.period_end - quarters.period_start + 1) as days,
        sum(quarters.value order by quarters.period_end) as total,
    from filings.statement_derivations as rolled
    left join filings.quarter_values as quarters
        on (quarters.cik, quarters.statement_type, quarters.key) = (rolled.cik, rolled.statement_type, rolled.key)
        and quarters.period_start >= rolled.period_start
        and quarters.period_end <= rolled.period_end
        and quarters.observed_at <= rolled.observed_at
        and quarters.known_to > rolled.observed_at
        and is_in_part(quarters.cik)
    where is_in_part(rolled.cik) and rolled.period_type = 'ttm'
    group by all
),

scoped as (
    select
        *,
        derivation = 'ttm_roll' and exists (
            from filings.recast_years
            where
                recast_years.cik = summed.cik
                and recast_years.part_end + 1 = summed.period_start
                and recast_years.observed_at <= summed.observed_at
                and recast_years.known_to > summed.observed_at
        ) as is_year_of_later_scope,
    from summed
)

select
    * exclude (rolled, quarters, days, total),
    if(quarters = 4 and days = period_end - period_start + 1, total, null) as sum_of_quarters,
    rolled is null or is_of_one_scope(rolled[1], rolled[2], rolled[3], is_year_of_later_scope) as is_of_one_scope,
    if(rolled is null, null, { year: rolled[1].recast_by, yearToDate: rolled[2].recast_by, yearAgo: rolled[3].recast_by }) as recasts,
    coalesce(abs(value - sum_of_quarters) <= 0.005 * greatest(abs(value), abs(sum_of_quarters)), true) as is_near_sum,
    is_of_one_scope and (is_year_of_later_scope or is_near_sum) as is_reconciled,
from scoped
