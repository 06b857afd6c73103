-- The staged observations; a ticker becomes the entity that it stands for, see ticker_refs. Grain: payload_no, row_no.
select observations.* replace (coalesce(refs.entity_id, observations.entity_ref) as entity_ref)
from staged.observations
left join staged.ticker_refs as refs using (payload_no, entity_ref)
