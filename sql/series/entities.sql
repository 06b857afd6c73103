-- One row per entity: countries and other entities of the reference data, and those from payloads, under their newest
-- name. A class of a company's shares that is listed besides its main one is an instrument with the company as its
-- parent.
with

-- In force at the knowledge cutoff.
monies as (
    select iso2, arg_max(currency, coalesce(valid_from, date '0001-01-01')) as currency
    from reference.country_currencies
    where
        (valid_from is null or valid_from <= coalesce((knowledge_cutoff() at time zone 'UTC')::date, date 'infinity'))
        and (valid_to is null or valid_to >= coalesce((knowledge_cutoff() at time zone 'UTC')::date, date 'infinity'))
    group by all
),

countries as (
    select
        lower(iso2) as entity_id,
        slug,
        'country' as entity_type,
        name,
        official_name as short_name,
        iso2 as country,
        monies.currency,
        null::varchar as parent_entity_id,
        { iso2: iso2, iso3: iso3, iso_numeric: iso_numeric } as codes,
        'active' as status,
        null::varchar as successor_entity_id,
        valid_from,
        null::date as valid_to,
    from reference.countries
    left join monies using (iso2)
),

pairs as (
    select entity_id, split_part(pair, '=', 1) as name, substr(pair, position('=' in pair) + 1) as code
    from (
        select entity_id, unnest(string_split(identifiers, ';')) as pair from reference.entities
        where identifiers is not null
    )
),

identified as (
    select
        entity_id,
        {
            lei: max(code) filter (where name = 'lei'),
            figi: max(code) filter (where name = 'figi'),
            isin: max(code) filter (where name = 'isin'),
            ticker: max(code) filter (where name = 'ticker'),
            mic: max(code) filter (where name = 'mic')
        } as codes,
    from pairs
    group by all
),

listed as (
    select
        -- An area is also listed among the countries under its own code (published.countries), so its rows can be found
        -- by it.
        entities.entity_id,
        slug,
        entity_type,
        name,
        short_name,
        if(entity_type = 'currency_area', upper(entities.entity_id), country) as country,
        currency,
        parent_entity_id,
        { lei: codes.lei, figi: codes.figi, isin: codes.isin, ticker: codes.ticker, mic: codes.mic } as codes,
        status,
        successor_entity_id,
        valid_from,
        valid_to,
    from reference.entities
    left join identified using (entity_id)
),

ordered as (
    select *, concat_ws('|', seen_on, retrieved_at, record_hash) as recency
    from lake.entities
    where entity_id not in (select entity_id from listed) and entity_id not in (select entity_id from countries)
),

-- The last statement of each payload counts, field by field: a ticker list has no country, a filer's own file does.
-- arg_max skips nulls.
introduced as (
    select
        entity_id,
        replace(entity_id, '_', '-') as slug,
        arg_max(entity_type, recency) as entity_type,
        arg_max(name, recency) as name,
        null::varchar as short_name,
        arg_max(country, recency) as country,
        arg_max(currency, recency) as currency,
        null::varchar as parent_entity_id,
        {
            cik: arg_max(identifiers ->> '$.cik', recency),
            lei: arg_max(identifiers ->> '$.lei', recency),
            figi: arg_max(identifiers ->> '$.figi', recency),
            isin: arg_max(identifiers ->> '$.isin', recency),
            ticker: arg_max(identifiers ->> '$.ticker', recency),
            mic: arg_max(identifiers ->> '$.mic', recency),
            cftc_contract_code: arg_max(identifiers ->> '$.cftcContractCode', recency)
        } as codes,
        'active' as status,
        null::varchar as successor_entity_id,
        null::date as valid_from,
        null::date as valid_to,
    from ordered
    group by entity_id
),

tickers as (
    select entity_id, first(ticker order by places[-1].place, ticker) as ticker
    from series.ticker_holders
    where held_to is null
    group by all
),

filers as (
    select
        introduced.* replace (
            coalesce(names.name, introduced.name) as name,
            descriptions.country as country,
            {
                cik: introduced.codes.cik,
                lei: coalesce(descriptions.lei, introduced.codes.lei),
                figi: introduced.codes.figi,
                isin: introduced.codes.isin,
                ticker: tickers.ticker,
                mic: if(tickers.ticker is null, null, descriptions.exchange)
            } as codes,
            if(successions.successor_cik is null, entity_status(states.status, states.had_ticker), 'merged') as status,
            'company_' || successions.successor_cik as successor_entity_id
        ),
    from introduced
    left join tickers using (entity_id)
    left join (
        select cik, last(name order by known_from nulls first) as name from series.filer_names
        group by all
    ) as names on 'company_' || names.cik = introduced.entity_id
    left join (
        from series.filer_descriptions
        qualify row_number() over (partition by cik order by known_from desc) = 1
    ) as descriptions on 'company_' || descriptions.cik = introduced.entity_id
    left join (
        from series.filer_states
        qualify row_number() over (partition by cik order by known_from desc) = 1
    ) as states on 'company_' || states.cik = introduced.entity_id
    left join series.successions on 'company_' || successions.cik = introduced.entity_id
    where introduced.entity_type = 'company'
),

listings as (
    select
        classes.entity_id,
        replace(classes.entity_id, '_', '-') as slug,
        'instrument' as entity_type,
        filers.name || ' (' || classes.ticker || ')' as name,
        filers.country,
        'USD' as currency,
        filers.entity_id as parent_entity_id,
        { ticker: classes.ticker } as codes,
        'active' as status,
    from
        (
            select entity_id, any_value(split_part(series_code, '.', 1)) as ticker from series.series
            where starts_with(entity_id, 'listing_')
            group by all)
            as classes
    inner join filers on filers.entity_id = 'company_' || substr(classes.entity_id, 9, 10)
)

from countries
union all by name
from listed
union all by name
from introduced
where entity_type != 'company'
union all by name
from filers
union all by name
from listings
