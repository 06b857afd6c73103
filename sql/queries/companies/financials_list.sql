-- Statements of one company as known at the cutoff: per statement and period the first filing's figures (as_reported)
-- or the newest of each line (most_recent), with the fiscal years known then. The newest figures are in the shares of
-- the day `shares_on`, whatever split came after a filing. Quarterly and annual lists include the balance sheets at
-- those ends.
select
    statement_id,
    company_id,
    cik,
    statement_type,
    period_type,
    label.fiscal_year as fiscal_year,
    label.fiscal_period as fiscal_period,
    period_start,
    period_end,
    form,
    accession_number,
    filed_at,
    accepted_at,
    observed_at,
    is_restated,
    is_derived,
    derivation,
    currency,
    -- If a row has figures from before and after a split, the first factor other than 1.
    coalesce(list_filter(list_transform(shown_lines, lambda line: basis / line.share_basis), lambda factor: factor != 1)[1], 1) as split_factor,
    list_transform(
        shown_lines,
        lambda line: {
            key: line.key,
            label: line.label,
            value: in_shares_of(basis, line),
            unit: line.unit,
            concept: line.concept,
            decimals: line.decimals,
            quality: line.quality,
            fact_refs: line.fact_refs
        }
    ) as lines,
    source_url,
from (
    select
        financial_statements.*,
        list_filter(labels, lambda one: asked.as_of is null or one.known_from <= asked.as_of)[-1] as label,
        if($basis::varchar = 'as_reported', lines, merged_lines) as shown_lines,
        if(
            $basis::varchar = 'as_reported',
            null,
            coalesce(list_filter(share_bases, lambda one: one.valid_from <= asked.shares_on)[-1].basis, 1)
        ) as basis,
    from published.financial_statements
    cross join (select $as_of::timestamptz as as_of, $shares_on::date as shares_on) as asked
)
where
    company_id = $company_id::varchar
    and label.fiscal_period is not null
    and ($statement::varchar is null or statement_type = $statement::varchar)
    and case $period::varchar
        when 'annual' then period_type = 'annual' or (period_type = 'instant' and label.fiscal_period = 'FY')
        when 'quarterly' then period_type in ('quarterly', 'instant')
        when 'ttm' then period_type = 'ttm'
        else true
    end
    and ($fiscal_year::integer is null or label.fiscal_year = $fiscal_year::integer)
    and ($date_from::date is null or period_end >= $date_from::date)
    and ($date_to::date is null or period_end <= $date_to::date)
    and ($as_of::timestamptz is null or observed_at <= $as_of::timestamptz)
    and case $basis::varchar
        when 'as_reported' then release_no = 1
        else is_in_force(observed_at, known_to, $as_of::timestamptz)
    end
