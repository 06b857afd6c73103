-- The names of futures contracts through time: the market code stays, the name on the reports changes. Grain: entity_id, span_no; a span ends the day
-- before another name was first seen, and a name that comes back begins a span of its own. valid_from is null of the first name seen, which may be
-- older than the reports at hand; valid_to of the last. Names that differ in blanks are one. Of two names on one day the one retrieved last counts.
with

seen as (
    select distinct on (entity_id, seen_on) entity_id, seen_on, name
    from lake.entities
    where entity_type = 'futures_contract'
    order by entity_id, seen_on, retrieved_at desc, record_hash desc
),

compared as (
    select *, regexp_replace(trim(name), '\s+', ' ', 'g') as plain_name
    from seen
),

changes as (
    select *, (plain_name is distinct from lag(plain_name) over (partition by entity_id order by seen_on)) as is_new
    from compared
),

spans as (
    select *, count(*) filter (where is_new) over (partition by entity_id order by seen_on) as span_no
    from changes
)

select
    entity_id,
    span_no,
    arg_max(name, seen_on) as name,
    if(span_no = 1, null, min(seen_on)) as valid_from,
    (lead(min(seen_on)) over (partition by entity_id order by span_no) - 1)::date as valid_to,
from spans
group by entity_id, span_no
order by entity_id, span_no
