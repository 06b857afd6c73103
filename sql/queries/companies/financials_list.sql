-- Statements of one company as known at the cutoff: per statement and period the first filing's figures (as_reported) or the newest known of
-- each line (most_recent), labelled by the fiscal years known then. Quarterly and annual each come with the balance sheets at those ends.
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
    if($basis::varchar = 'as_reported', lines, merged_lines) as lines,
    source_url,
from (
    select *, list_filter(labels, lambda one: $as_of::timestamptz is null or one.known_from <= $as_of::timestamptz)[-1] as label
    from published.financial_statements
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
