-- The company of an identifier: company or entity id, CIK with or without leading zeros, or a ticker (its holder at the
-- moment).
select company_id, cik, name
from published.companies
where
    company_id = replace(lower($lookup::varchar), '-', '_')
    or cik = if(regexp_full_match($lookup::varchar, '\d{1,10}'), lpad($lookup::varchar, 10, '0'), null)
    or company_id = ticker_holder($ticker::varchar, $at::timestamptz)
order by company_id = replace(lower($lookup::varchar), '-', '_') desc, company_id = ticker_holder($ticker::varchar, $at::timestamptz), cik
limit 1
