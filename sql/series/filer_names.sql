-- Names of filers. One row per cik and known_from, from which the name holds; known_from is null for the first. EDGAR
-- dates a former name by the last filing under it. The name after it, and a name without such a date, is known from the
-- first list or file that gave it.
with

stated as (
    select distinct on (cik, said_at) *
    from (
        select cik, observed_at as said_at, name, sic is not null as is_description, record_hash from lake.companies
        union all
        select identifiers ->> '$.cik', (seen_on + 1)::timestamp at time zone 'UTC', name, false, record_hash
        from lake.entities
        where
            entity_type = 'company' and (identifiers ->> '$.cik') not in (select cik from lake.companies)
    )
    order by cik, said_at, is_description desc, record_hash desc
),

newest as (
    select cik, last(former_names order by observed_at, record_hash) as former_names
    from lake.companies
    where sic is not null or len(exchanges) > 0 or former_names != '[]'
    group by all
),

former as (
    select cik, name, max(last_day) as last_day
    from (
        select cik, former.name as name, try_cast(left(former."to", 10) as date) as last_day
        from (select cik, unnest(from_json(former_names, '[{"name":"VARCHAR","from":"VARCHAR","to":"VARCHAR"}]')) as former from newest)
    )
    where last_day is not null
    group by all
),

lasts as (
    select cik, (max(last_day) + 1)::timestamp at time zone 'UTC' as changed_at from former
    group by all
),

dated as (
    select
        cik,
        name,
        (lag(last_day) over (partition by cik order by last_day, name) + 1)::timestamp at time zone 'UTC' as known_from,
        true as is_former,
    from former
    union all
    select
        stated.cik,
        stated.name,
        if(row_number() over (partition by stated.cik order by said_at) = 1, lasts.changed_at, said_at),
        false,
    from stated
    left join lasts using (cik)
    where lasts.changed_at is null or said_at >= lasts.changed_at
),

changes as (
    select *
    from dated
    window moments as (partition by cik order by known_from nulls first, is_former desc)
    qualify name is distinct from lag(name) over moments
)

select cik, name, known_from
from changes
order by cik, known_from nulls first
