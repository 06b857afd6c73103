-- The factor that a series competes for: only a country or currency area does. What lies in a country, a region, company, contract or instrument,
-- has none, and is held against the unit of what it measures itself.
create or replace macro factor_of(entity_type, factor_key) as if(is_national(entity_type), factor_key, null)
