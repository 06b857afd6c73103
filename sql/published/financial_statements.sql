-- Statements as reported: one row per company, statement, period and filing that reported it whole enough to hold its result, its assets or
-- its operating cash flow. [observed_at, known_to) is the interval in which that filing was the newest on the period. `lines` are the figures
-- of this filing; `merged_lines` the newest known of each line at its time, whichever filing had it. restated: a figure differs from before.
with

statements as (
    select
        cik, statement_type, period_start, period_end, accession_number,
        min(form) as form, min(filed) as filed, min(accepted_at) as accepted_at,
        min(observed_at) as observed_at, min(currency) as currency,
        case
            when statement_type = 'balance_sheet' then 'instant'
            when period_end - period_start between 70 and 120 then 'quarterly'
            when period_end - period_start between 140 and 329 then 'ytd'
            when period_end - period_start between 330 and 420 then 'annual'
        end as period_type,
    from intermediate.statement_facts
    group by all
    having period_type is not null and bool_or(key in ('netIncome', 'profitLoss', 'totalAssets', 'operatingCashFlow'))
),

-- A 52/53-week year may end some days beside its nominal end: half a month of tolerance.
ends as (
    select
        statements.*,
        period_end - 15 as shifted_end,
        fiscal_year_end,
        (year(shifted_end) + if(strftime(shifted_end, '%m%d') > fiscal_year_end, 1, 0))::integer as fiscal_year,
        last_day(make_date(fiscal_year, left(fiscal_year_end, 2)::integer, 1)) as year_end,
        greatest(1, least(4, 4 - round((year_end - period_end) / 91.3)))::integer as quarter,
    from statements
    inner join intermediate.filers using (cik)
    where fiscal_year_end is not null
),

placed as (
    select
        *,
        case
            when period_type = 'annual' or (period_type = 'instant' and quarter = 4) then 'FY'
            when period_type in ('quarterly', 'instant') then 'Q' || quarter
            when period_end - period_start between 140 and 229 and quarter = 2 then 'H1'
            when period_end - period_start between 230 and 329 and quarter = 3 then '9M'
        end as fiscal_period,
    from ends
    where fiscal_period is not null
),

cells as (
    select
        placed.cik, placed.accession_number, placed.statement_type, placed.period_start, placed.period_end, keys.position, keys.key,
        if(facts.key is null, null, {
            key: facts.key, label: facts.label, value: facts.value, unit: facts.unit, concept: facts.concept, decimals: null::integer, quality: 'reported',
            fact_refs: [concat_ws('/', facts.accession_number, facts.concept, facts.unit, facts.period_start, facts.period_end)]
        }) as line,
        last(line ignore nulls) over before as line_before,
        coalesce(line, line_before) as merged_line,
    from placed
    inner join (select distinct statement_type, position, key from intermediate.statement_concepts) as keys using (statement_type)
    left join intermediate.statement_facts as facts
        on facts.accession_number = placed.accession_number
        and facts.cik = placed.cik
        and facts.statement_type = placed.statement_type
        and facts.period_start is not distinct from placed.period_start
        and facts.period_end = placed.period_end
        and facts.key = keys.key
    window before as (
        partition by placed.cik, placed.statement_type, placed.period_start, placed.period_end, keys.key
        order by placed.observed_at, placed.accession_number
        rows between unbounded preceding and 1 preceding
    )
),

collected as (
    select
        cik, accession_number, statement_type, period_start, period_end,
        list(line order by position) filter (where line is not null) as lines,
        list(merged_line order by position) filter (where merged_line is not null) as merged_lines,
        coalesce(bool_or(line.value != line_before.value), false) as is_restated,
    from cells
    group by all
)

select
    'fs_' || left(sha256(concat_ws('|', placed.cik, placed.statement_type, coalesce(placed.period_start::varchar, ''), placed.period_end, placed.accession_number)), 26) as statement_id,
    'company_' || placed.cik as company_id,
    placed.cik,
    placed.statement_type,
    placed.period_type,
    placed.fiscal_year,
    placed.fiscal_period,
    placed.period_start,
    placed.period_end,
    placed.form,
    placed.accession_number,
    placed.filed as filed_at,
    placed.accepted_at,
    placed.observed_at,
    lead(placed.observed_at) over versions as known_to,
    row_number() over versions as release_no,
    collected.is_restated,
    false as is_derived,
    'none' as derivation,
    placed.currency,
    collected.lines,
    collected.merged_lines,
    'https://www.sec.gov/Archives/edgar/data/' || ltrim(placed.cik, '0') || '/' || replace(placed.accession_number, '-', '') || '/' || placed.accession_number || '-index.htm' as source_url,
from placed
inner join collected
    on collected.cik = placed.cik
    and collected.accession_number = placed.accession_number
    and collected.statement_type = placed.statement_type
    and collected.period_start is not distinct from placed.period_start
    and collected.period_end = placed.period_end
window versions as (partition by placed.cik, placed.statement_type, placed.period_start, placed.period_end order by placed.observed_at, placed.accession_number)
order by placed.cik, placed.period_end, placed.statement_type, placed.period_start nulls first, placed.observed_at, placed.accession_number
