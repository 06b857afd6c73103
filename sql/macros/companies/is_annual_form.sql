-- True for a company's report on a whole fiscal year or on a transition period, or an amendment of one.
create or replace macro is_annual_form(form) as regexp_full_match(form, '(10-K|10-KT|20-F|40-F)(/A)?')
