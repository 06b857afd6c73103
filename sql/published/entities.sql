-- One row per entity as of the knowledge cutoff. Facts that change over time (names, currencies) are lists, from which
-- a cutoff can choose. known_from: the time from which anything of it was known. created_at: the time from which this
-- installation knew it.
with

counts as (
    select
        entity_id,
        count(distinct canonical_id) as indicator_count,
        sum(observation_count)::bigint as observation_count,
        coalesce(max(latest_period_end) filter (where not is_projection(canonical_id)), max(latest_period_end)) as latest_period_end,
        max(latest_observed_at) as latest_observed_at,
        min(first_observed_at) as first_observed_at,
    from published.series
    group by all
),

since as (
    select entity_id, min(retrieved_at) as created_at
    from (
        select entity_id, retrieved_at from lake.entities
        union all
        select entity_id, retrieved_at from lake.observations
    )
    group by all
),

introduced as (
    select entity_id, min(retrieved_at) as known_from
    from lake.entities
    group by all
),

named as (
    select entity_id, list({ name: name, known_from: known_from } order by known_from nulls first) as names
    from series.entity_names
    group by all
),

monies as (
    select iso2, list({ currency: currency, valid_from: valid_from, valid_to: valid_to } order by valid_from nulls first) as currencies
    from reference.country_currencies
    group by all
)

select
    entities.entity_id,
    entities.slug,
    entities.entity_type,
    entities.name,
    entities.short_name,
    entities.country,
    entities.currency,
    entities.parent_entity_id,
    entities.codes.iso2,
    entities.codes.iso3,
    entities.codes.iso_numeric,
    entities.codes.cik,
    entities.codes.lei,
    entities.codes.figi,
    entities.codes.isin,
    entities.codes.ticker,
    holders.claimed_from as ticker_known_from,
    entities.codes.mic,
    entities.codes.cftc_contract_code,
    entities.status,
    entities.successor_entity_id,
    successions.known_from as successor_known_from,
    entities.valid_from,
    entities.valid_to,
    coalesce(named.names, []) as names,
    coalesce(monies.currencies, []) as currencies,
    least(counts.first_observed_at, introduced.known_from, filers.known_from) as known_from,
    coalesce(counts.indicator_count, 0) as indicator_count,
    coalesce(counts.observation_count, 0)::bigint as observation_count,
    counts.latest_period_end,
    coalesce(since.created_at, (select min(started_at) from lake.attempts)) as created_at,
    coalesce(counts.latest_observed_at, since.created_at, (select min(started_at) from lake.attempts)) as updated_at,
from series.entities
left join counts using (entity_id)
left join since using (entity_id)
left join introduced using (entity_id)
left join named using (entity_id)
left join monies on monies.iso2 = entities.country and entities.entity_type in ('country', 'central_bank')
left join filings.filers on entities.entity_id = 'company_' || filers.cik
left join series.successions on entities.entity_id = 'company_' || successions.cik
left join (
    select entity_id, ticker, max(claimed_from) as claimed_from from series.ticker_holders
    group by all
) as holders on holders.entity_id = entities.parent_entity_id and entities.entity_type = 'instrument' and holders.ticker = entities.codes.ticker
order by entities.entity_id
