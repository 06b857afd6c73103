-- The company that an identifier means: company or entity id, slug, CIK with or without leading zeros, ticker; a ticker in the first place
-- of a company's list before one further back.
select company_id, cik, name
from published.companies
where
    company_id = replace(lower($lookup::varchar), '-', '_')
    or cik = if(regexp_full_match($lookup::varchar, '\d{1,10}'), lpad($lookup::varchar, 10, '0'), null)
    or list_contains(tickers, replace(upper($lookup::varchar), '.', '-'))
order by
    company_id = replace(lower($lookup::varchar), '-', '_') desc, list_position(tickers, replace(upper($lookup::varchar), '.', '-')) nulls first, cik
limit 1
