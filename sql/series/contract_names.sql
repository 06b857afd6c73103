-- The names of futures contracts over time. The market code stays; the name on the reports changes. Grain: entity_id,
-- span_no. A span ends the day before another name was first seen. A name that comes back begins a new span. Names that
-- differ only in blanks are equal. Of two names on one day, the one retrieved last counts.
-- valid_from is null for the first name, which may be older than our reports. valid_to is null for the last name.
-- known_from: the publication of the span's first report; if the lake has no report of it, the retrieval of the payload
-- with the name. known_to: the time at which its end became known, with the next name.
with

seen as (
    select distinct on (entity_id, seen_on) entity_id, seen_on, name, retrieved_at
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
),

named as (
    select
        entity_id,
        span_no,
        arg_max(name, seen_on) as name,
        min(seen_on) as seen_from,
        (lead(min(seen_on)) over (partition by entity_id order by span_no) - 1)::date as valid_to,
        min(retrieved_at) as retrieved_at,
    from spans
    group by entity_id, span_no
),

reported as (
    select series.entity_id, vintages.period_end, min(vintages.observed_at) as observed_at
    from series.vintages
    inner join series.series using (series_no)
    where series.entity_id in (select entity_id from named)
    group by all
)

select
    named.entity_id,
    named.span_no,
    named.name,
    if(named.span_no = 1, null, named.seen_from) as valid_from,
    named.valid_to,
    coalesce(min(reported.observed_at), any_value(named.retrieved_at)) as known_from,
    lead(coalesce(min(reported.observed_at), any_value(named.retrieved_at))) over (partition by named.entity_id order by named.span_no) as known_to,
from named
left join reported
    on reported.entity_id = named.entity_id
    and reported.period_end >= named.seen_from
    and (named.valid_to is null or reported.period_end <= named.valid_to)
group by named.entity_id, named.span_no, named.name, named.seen_from, named.valid_to
order by named.entity_id, named.span_no
