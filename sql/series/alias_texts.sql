-- Every name and code by which an entity can be found. known_from, end_known_from: the times from which it and its end
-- were known; null if valid_from and valid_to give them. held_from, held_to: for a ticker, the exact interval in which
-- it means the entity. Grain: entity_id, alias_type, scheme, alias, valid_from.
with

-- The time from which the current name was known, for entities with several names.
newest as (
    select entity_id, max(known_from) as known_from
    from series.entity_names
    group by all
),

names as (
    select entity_id, name as alias, 'name' as alias_type, true as is_primary, newest.known_from from series.entities
    left join newest using (entity_id)
    union all
    select entity_id, short_name, 'short_name', false, newest.known_from from series.entities
    left join newest using (entity_id)
    union all
    select entity_id, slug, 'slug', true, null from series.entities
    union all
    select entity_id, codes.iso2, 'iso2', true, null from series.entities
    union all
    select entity_id, codes.iso3, 'iso3', true, null from series.entities
    union all
    select entity_id, codes.iso_numeric, 'iso_numeric', true, null from series.entities
    union all
    select entity_id, codes.cik, 'cik', true, null from series.entities
    union all
    select entity_id, codes.lei, 'lei', true, null from series.entities
    union all
    select entity_id, codes.isin, 'isin', true, null from series.entities
    union all
    select entity_id, codes.figi, 'figi', true, null from series.entities
    union all
    select entity_id, codes.cftc_contract_code, 'cftc_code', true, null from series.entities
    union all
    select entity_id, currency, 'currency', true, null from series.entities
    where entity_type = 'currency'
),

contract_names as (
    select
        entity_id,
        contract_names.name as alias,
        'name' as alias_type,
        contract_names.valid_to is null and contract_names.name = entities.name as is_primary,
        contract_names.valid_from,
        contract_names.valid_to,
        if(contract_names.span_no = 1, null, contract_names.known_from) as known_from,
        contract_names.known_to as end_known_from,
    from series.contract_names
    inner join series.entities using (entity_id)
),

-- Other names of an entity in payloads, each from the day of its use.
historical as (
    select entity_id, name as alias, 'name' as alias_type, false as is_primary, min(seen_on) as valid_from
    from lake.entities
    where entity_type != 'futures_contract'
    group by all
),

tickers as (
    -- A class of shares with its own quotes is found by its own ticker.
    select
        coalesce(listings.entity_id, holders.entity_id) as entity_id,
        holders.ticker as alias,
        'ticker' as alias_type,
        listings.entity_id is not null or holders.places[-1].place = 1 as is_primary,
        (holders.held_from at time zone 'UTC')::date as valid_from,
        ((holders.held_to - interval 1 microsecond) at time zone 'UTC')::date as valid_to,
        holders.claimed_from as known_from,
        holders.held_to as end_known_from,
        holders.held_from,
        holders.held_to,
    from series.ticker_holders as holders
    left join series.entities as listings
        on listings.parent_entity_id = holders.entity_id and listings.entity_type = 'instrument' and listings.codes.ticker = holders.ticker
),

former as (
    select distinct
        'company_' || cik as entity_id,
        former.name as alias,
        'name' as alias_type,
        false as is_primary,
        try_cast(left(former."from", 10) as date) as valid_from,
        try_cast(left(former."to", 10) as date) as valid_to,
    from (select cik, unnest(from_json(former_names, '[{"name":"VARCHAR","from":"VARCHAR","to":"VARCHAR"}]')) as former from lake.companies)
),

listed as (
    select entity_id, alias, alias_type, scheme, is_primary, valid_from, valid_to
    from reference.aliases
),

wb_codes as (
    select lower(iso2) as entity_id, wb_code as alias, 'wb_code' as alias_type, true as is_primary
    from reference.countries
),

together as (
    from listed
    union all by name
    from names
    where alias_type != 'name' or (entity_id, alias) not in (select (entity_id, alias) from contract_names)
    union all by name
    from tickers
    union all by name
    from former
    union all by name
    from wb_codes
    union all by name
    from contract_names
    union all by name
    select * from historical
    where (
        entity_id, alias) not in (
        select (entity_id, alias) from names
        where alias_type = 'name' and alias is not null
    )
)

select distinct on (entity_id, alias_type, scheme, alias, valid_from)
    entity_id,
    alias,
    alias_type,
    scheme,
    coalesce(is_primary, false) as is_primary,
    valid_from,
    valid_to,
    known_from,
    end_known_from,
    held_from,
    held_to,
from together
where alias is not null and alias != '' and entity_id in (select entity_id from series.entities)
order by entity_id, alias_type, scheme, alias, valid_from, is_primary desc, held_to desc nulls first, valid_to
