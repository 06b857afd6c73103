-- Statements: one row per company, statement, period and filing that contained its result, its assets or its operating
-- cash flow, and per later filing with a figure of it. [observed_at, known_to) is the interval in which that filing was
-- the newest for the period. labels: its place in the fiscal years, with knowledge times; a label without fiscal_period
-- fits no part of a year. `lines` are the figures of this filing; `merged_lines` take each figure from the newest
-- filing with it. is_restated: a figure differs from the first one. derivation: the method of the first computed line.
with

cells as (
    select
        filings.cik,
        filings.accession_number,
        filings.observed_at,
        filings.statement_type,
        filings.period_type,
        filings.period_start,
        filings.period_end,
        filings.currency,
        keys.position,
        -- A filing with only a part of a statement may state a part of a figure, under another concept.
        if(
            filings.is_whole
            or brought.derivation != 'none'
            or coalesce(brought.line.concept = (last(if(filings.is_whole, brought.line, null) ignore nulls) over before).concept, true),
            brought.line,
            null
        ) as line,
        brought.derivation,
    from filings.statement_filings as filings
    inner join (select distinct statement_type, position, key from filings.statement_concepts) as keys using (statement_type)
    left join filings.statement_cells as brought
        on (brought.cik, brought.accession_number, brought.observed_at, brought.statement_type, brought.period_type, brought.period_end, brought.key)
        = (filings.cik, filings.accession_number, filings.observed_at, filings.statement_type, filings.period_type, filings.period_end, keys.key)
        and brought.period_start is not distinct from filings.period_start
        and is_in_part(brought.cik)
    where is_in_part(filings.cik)
    window before as (
        partition by
            filings.cik, filings.statement_type, filings.period_type, filings.period_start, filings.period_end, filings.currency, keys.key
        order by filings.observed_at, filings.accession_number
        rows between unbounded preceding and 1 preceding
    )
),

merged as (
    select
        *,
        last(line ignore nulls) over so_far as merged_line,
        last(if(line is null, null, derivation) ignore nulls) over so_far as merged_derivation,
        first(if(line.quality = 'reported', line, null) ignore nulls) over so_far as first_reported,
        first(if(line.quality = 'derived', line, null) ignore nulls) over so_far as first_derived,
    from cells
    window so_far as (
        partition by cik, statement_type, period_type, period_start, period_end, currency, position
        order by observed_at, accession_number
        rows between unbounded preceding and current row
    )
),

collected as (
    select
        cik,
        accession_number,
        observed_at,
        statement_type,
        period_type,
        period_start,
        period_end,
        list(line order by position) filter (where line is not null) as lines,
        list(merged_line order by position) filter (where merged_line is not null) as merged_lines,
        coalesce(
            bool_or(is_restatement(merged_line, if(merged_line.quality = 'reported', first_reported, first_derived))), false
        ) as is_restated,
        first(merged_derivation order by position) filter (where merged_derivation != 'none') as derivation,
    from merged
    group by all
    having count(line) > 0
),

bases as (
    select cik, list({ valid_from: valid_from, basis: basis } order by valid_from) as share_bases
    from splits.split_bases
    group by all
),

places as (
    select
        cik,
        period_end,
        list({ year_end: year_end, fiscal_year: fiscal_year, quarter: quarter, known_from: known_from } order by known_from) as places,
    from filings.fiscal_labels
    where is_in_part(cik)
    group by all
),

labelled as (
    select
        filings.*,
        list_transform(
            places,
            lambda place: {
                -- The year is that of its own end. An annual report may state a year from before the end was moved.
                fiscal_year: if(
                    filings.period_type = 'annual',
                    (year(filings.period_end) - if(month(filings.period_end) = 1 and day(filings.period_end) <= 7, 1, 0))::integer,
                    place.fiscal_year
                ),
                fiscal_period: case
                    when filings.period_type = 'ttm' then 'TTM'
                    when filings.period_type = 'annual'
                        then
                            if(abs(place.year_end - filings.period_end) <= 15 or is_annual_form(filings.form), 'FY', null)
                    when filings.period_type = 'instant' and place.quarter = 4 then 'FY'
                    when filings.period_type in ('quarterly', 'instant') then 'Q' || place.quarter
                    when filings.period_end - filings.period_start between 140 and 229 and place.quarter = 2 then 'H1'
                    when filings.period_end - filings.period_start between 230 and 329 and place.quarter = 3 then '9M'
                end,
                known_from: place.known_from
            }
        ) as labels,
    from filings.statement_filings as filings
    inner join places using (cik, period_end)
    where is_in_part(filings.cik)
)

select
    'fs_'
    || left(
        sha256(
            concat_ws(
                '|',
                filings.cik,
                filings.statement_type,
                coalesce(filings.period_start::varchar, ''),
                filings.period_end,
                filings.accession_number,
                if(filings.period_type = 'ttm', 'ttm', null),
                filings.corrected_at
            )
        ),
        26
    ) as statement_id,
    'company_' || filings.cik as company_id,
    filings.cik,
    filings.statement_type,
    filings.period_type,
    filings.labels,
    filings.labels[-1].fiscal_year as fiscal_year,
    filings.labels[-1].fiscal_period as fiscal_period,
    filings.period_start,
    filings.period_end,
    filings.form,
    filings.accession_number,
    filings.filed as filed_at,
    filings.accepted_at,
    filings.observed_at,
    lead(filings.observed_at) over versions as known_to,
    row_number() over versions as release_no,
    collected.is_restated,
    collected.derivation is not null as is_derived,
    coalesce(collected.derivation, 'none') as derivation,
    filings.currency,
    collected.lines,
    collected.merged_lines,
    coalesce(bases.share_bases, []) as share_bases,
    'https://www.sec.gov/Archives/edgar/data/'
    || ltrim(filings.cik, '0')
    || '/'
    || replace(filings.accession_number, '-', '')
    || '/'
    || filings.accession_number
    || '-index.htm' as source_url,
from labelled as filings
inner join collected
    on (collected.cik, collected.accession_number, collected.observed_at, collected.statement_type, collected.period_type, collected.period_end)
    = (filings.cik, filings.accession_number, filings.observed_at, filings.statement_type, filings.period_type, filings.period_end)
    and collected.period_start is not distinct from filings.period_start
left join bases on bases.cik = filings.cik
where len(list_filter(filings.labels, lambda label: label.fiscal_period is not null)) > 0
window
    versions as (
        partition by filings.cik, filings.statement_type, filings.period_type, filings.period_start, filings.period_end
        order by filings.observed_at, filings.accession_number
    )
order by
    filings.cik,
    filings.period_end,
    filings.statement_type,
    filings.period_start nulls first,
    filings.period_type,
    filings.observed_at,
    filings.accession_number
