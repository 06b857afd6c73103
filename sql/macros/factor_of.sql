-- The factor of a series. Only countries and currency areas have one. A region, company, contract or instrument has
-- none; its values are compared by the unit of its own indicator.
create or replace macro factor_of(entity_type, factor_key) as if(is_national(entity_type), factor_key, null)
