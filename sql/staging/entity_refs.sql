-- Entities of the indirect references in payloads: `iso3:fra` and `iso3:arb` (countries and World Bank aggregates). For
-- tickers see ticker_refs.
with

countries as (
    select lower(unnest([iso3, wb_code])) as code, lower(iso2) as entity_id
    from reference.countries
),

aggregates as (
    select lower(replace(unnest(regexp_extract_all(identifiers, '(?:^|;)wb_code=([^;]+)', 1)), ' ', '')) as code, entity_id
    from reference.entities
)

select 'iso3:' || code as entity_ref, entity_id from countries
where code is not null
union
select 'iso3:' || code, entity_id from aggregates
where code is not null
