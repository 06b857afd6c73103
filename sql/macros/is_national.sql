-- Whether an entity stands for a country: it is one, or the area of a currency that countries share.
create or replace macro is_national(entity_type) as entity_type in ('country', 'currency_area')
