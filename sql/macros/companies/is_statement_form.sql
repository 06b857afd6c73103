-- True if a filing's facts are statements of the company: periodic reports, and the reports in which foreign issuers
-- publish interim figures.
create or replace macro is_statement_form(form) as is_periodic_form(form) or regexp_full_match(form, '6-K(/A)?')
