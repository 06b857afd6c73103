-- Companies with statements, by identifier.
select company_id, cik, ticker, name
from published.companies
where company_id in (select company_id from published.financial_statements)
order by company_id
