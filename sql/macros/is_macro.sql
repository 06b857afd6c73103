-- Whether what is measured of an entity is macroeconomic: it is not something that is traded, or that issues what is.
create or replace macro is_macro(entity_type) as entity_type not in ('company', 'futures_contract', 'instrument', 'index', 'commodity')
