-- One row per ISO 3166 country, and per currency area under its own code. An area's alpha-3 code is the World Bank's.
-- Currency, central bank and memberships are those at the knowledge cutoff; the lists have their history.
with

counts as (select entity_id, names, valid_from, indicator_count, observation_count, latest_period_end from published.entities),

today as (select coalesce((knowledge_cutoff() at time zone 'UTC')::date, date 'infinity') as day),

monies as (
    select
        iso2,
        list(
            { currency: currency, central_bank_entity_id: central_bank_entity_id, valid_from: valid_from, valid_to: valid_to }
            order by valid_from nulls first
        ) as currencies,
    from reference.country_currencies
    group by all
),

joined as (
    select
        iso2,
        list({ group_id: "group", valid_from: valid_from, valid_to: valid_to } order by valid_from, "group") as memberships,
    from reference.country_memberships
    group by all
),

countries as (
    select
        * exclude (valid_from, day),
        lower(iso2) as entity_id,
        false as is_currency_area,
        currency_at(monies.currencies, today.day) as currency,
        central_bank_at(monies.currencies, today.day) as central_bank_entity_id,
        member_of_at(joined.memberships, today.day) as member_of,
    from reference.countries
    cross join today
    left join monies using (iso2)
    left join joined using (iso2)
    union all by name
    select
        entity_id,
        slug,
        name,
        upper(entity_id) as iso2,
        coalesce(nullif(regexp_extract(identifiers, 'wb_code=([A-Z]{3})(;|$)', 1), ''), upper(entity_id)) as iso3,
        currency,
        central_bank_entity_id,
        true as is_currency_area,
        []::varchar[] as member_of,
    from reference.entities
    left join (
        select parent_entity_id as entity_id, min(entity_id) as central_bank_entity_id
        from reference.entities
        where entity_type = 'central_bank'
        group by all
    ) using (entity_id)
    where entity_type = 'currency_area'
)

select
    countries.iso2 as country_id,
    countries.entity_id,
    countries.slug,
    countries.name,
    countries.official_name,
    countries.iso2,
    countries.iso3,
    countries.iso_numeric,
    countries.region,
    countries.subregion,
    countries.income_group,
    countries.currency,
    countries.central_bank_entity_id,
    countries.timezone,
    countries.is_currency_area,
    countries.member_of,
    counts.valid_from,
    counts.names,
    coalesce(countries.currencies, []) as currencies,
    coalesce(countries.memberships, []) as memberships,
    counts.indicator_count,
    counts.observation_count,
    counts.latest_period_end,
from countries
inner join counts using (entity_id)
order by countries.iso2
