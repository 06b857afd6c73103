-- The company that an identifier means: company or entity id, CIK with or without leading zeros, ticker; a ticker in the first place
-- of a company's list before one further back.
select company_id, cik, name
from published.companies
where
    company_id = replace(lower($lookup::varchar), '-', '_')
    or cik = if(regexp_full_match($lookup::varchar, '\d{1,10}'), lpad($lookup::varchar, 10, '0'), null)
    or list_contains(tickers, $ticker::varchar)
order by
    company_id = replace(lower($lookup::varchar), '-', '_') desc, list_position(tickers, $ticker::varchar) nulls first, cik
limit 1
