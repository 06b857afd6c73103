-- True for a country, or for a currency area of several countries.
create or replace macro is_national(entity_type) as entity_type in ('country', 'currency_area')
