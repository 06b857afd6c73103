-- True for a company's annual or quarterly report on its own periods, or an amendment of one.
create or replace macro is_periodic_form(form) as regexp_full_match(form, '(10-K|10-Q|10-KT|10-QT|20-F|40-F)(/A)?')
