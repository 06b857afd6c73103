-- Numbers of the quarterly data sets of statements compared with the facts of companies: one row per number of a
-- filing, concept, unit and period, if companyfacts has a fact of that filing too. The data sets round the end of a
-- period to the nearest end of a month and its length to quarters, and give amounts per share only in the currency. So
-- several facts may match a number, and it agrees with any of them.
with

pairs as (
    select pair, tolerance
    from reference.reconciliations
    where comparison = 'per_filing'
),

numbers as (
    select numbers.*
    from lake.statement_numbers as numbers
    where
        is_in_part(numbers.cik)
        and numbers.accession_number in (select accession_number from filings.company_facts)
),

-- Half a month to either side, plus a day for months with an odd number of days.
fitting as (
    select
        pairs.pair,
        numbers.cik,
        numbers.accession_number,
        numbers.taxonomy,
        numbers.concept,
        numbers.unit,
        numbers.month_end,
        numbers.quarters,
        numbers.value as right_value,
        facts.value as left_value,
        facts.period_start,
        facts.period_end,
        facts.run_id,
        greatest(facts.ingested_at, numbers.retrieved_at) as ingested_at,
        abs(facts.value - numbers.value) <= pairs.tolerance as is_equal,
    from numbers
    inner join filings.company_facts as facts
        on facts.cik = numbers.cik
        and facts.accession_number = numbers.accession_number
        and facts.taxonomy = numbers.taxonomy
        and facts.concept = numbers.concept
        and (facts.unit = numbers.unit or facts.unit = numbers.unit || '/shares')
        and abs(facts.period_end - numbers.month_end) <= 16
        and coalesce(round((facts.period_end - facts.period_start) / 91.3), 0) = numbers.quarters
    cross join pairs
    where is_in_part(facts.cik)
)

select
    pair,
    'company_' || cik as entity_id,
    cik || ' ' || taxonomy || ':' || concept || ' ' || unit as subject,
    accession_number || ' ' || coalesce(period_start || '/', '') || period_end as period,
    period_end,
    left_value,
    right_value,
    if(is_equal, 'agrees', 'disagrees') as outcome,
    run_id,
    ingested_at,
from fitting
qualify
    row_number() over (
        partition by pair, cik, accession_number, taxonomy, concept, unit, month_end, quarters, right_value
        order by is_equal desc, abs(period_end - month_end), period_start nulls first, left_value
    ) = 1
