-- One row per ISO 3166 country, and per currency area under its own code.
with

counts as (select entity_id, indicator_count, observation_count, latest_period_end from published.entities)

select
    countries.iso2 as country_id,
    lower(countries.iso2) as entity_id,
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
    false as is_currency_area,
    countries.member_of,
    counts.indicator_count,
    counts.observation_count,
    counts.latest_period_end,
from reference.countries
inner join counts on counts.entity_id = lower(countries.iso2)
order by countries.iso2
