-- True if an entity's series are macroeconomic: it is not traded, and does not issue anything traded.
create or replace macro is_macro(entity_type) as entity_type not in ('company', 'futures_contract', 'instrument', 'index', 'commodity')
