-- One row per ISO 3166 country, and per currency area under a code of its own; the alpha-3 code of an area is the World Bank's.
with

counts as (select entity_id, indicator_count, observation_count, latest_period_end from published.entities),

countries as (
    select *, lower(iso2) as entity_id, false as is_currency_area
    from reference.countries
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
    counts.indicator_count,
    counts.observation_count,
    counts.latest_period_end,
from countries
inner join counts using (entity_id)
order by countries.iso2
