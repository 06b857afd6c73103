-- Whether the facts of a filing are statements of the company: those of periodic reports, and of the reports by which foreign issuers give
-- their interim figures.
create or replace macro is_statement_form(form) as is_periodic_form(form) or regexp_full_match(form, '6-K(/A)?')
