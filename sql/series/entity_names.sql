-- The names over time of entities with several names: former country names from the reference data, contract names on
-- reports, names of filers (see filer_names), and names in payloads without a day, each from its retrieval. Grain:
-- entity_id, known_from. known_from is null for the first name, which holds for all time before.
with

formerly as (
    select entity_id, alias as name, valid_to, row_number() over (partition by entity_id order by valid_to) as place
    from reference.aliases
    where alias_type = 'name' and scheme = 'former'
),

ended as (
    select entity_id, max(valid_to) as valid_to
    from formerly
    group by all
),

of_places as (
    select entity_id, name, lag(valid_to) over (partition by entity_id order by valid_to) + 1 as known_on
    from formerly
    union all
    select entities.entity_id, entities.name, ended.valid_to + 1 as known_on
    from series.entities
    inner join ended using (entity_id)
),

of_contracts as (
    select entity_id, name, if(span_no = 1, null, known_from) as known_from
    from series.contract_names
),

read as (
    select entity_id, name, retrieved_at, concat_ws('|', seen_on, retrieved_at, record_hash) as recency
    from lake.entities
    where
        entity_type not in ('futures_contract', 'company')
        and entity_id not in (select entity_id from reference.entities)
        and entity_id not in (select lower(iso2) from reference.countries)
),

-- The newest payload counts: an older payload that is read later gives no new name.
newest as (
    select
        *,
        max(recency) over (partition by entity_id order by retrieved_at, recency) as newest_recency,
        lag(name) over (partition by entity_id order by retrieved_at, recency) as name_before,
    from read
),

of_payloads as (
    select entity_id, name, if(name_before is null, null, retrieved_at) as known_from
    from newest
    where recency = newest_recency and name is distinct from name_before
),

of_filers as (
    select 'company_' || cik as entity_id, name, known_from
    from series.filer_names
),

together as (
    select * from of_filers
    union all
    select entity_id, name, known_on::timestamp at time zone 'UTC' as known_from from of_places
    union all
    select * from of_contracts
    union all
    select * from of_payloads
)

select *
from together
qualify count(*) over (partition by entity_id) > 1
order by entity_id, known_from nulls first
