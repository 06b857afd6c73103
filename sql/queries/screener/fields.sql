-- The indicators that the screener offers.
select canonical_id, name, unit, entity_types
from published.canonical_indicators
where is_screenable
order by canonical_id
