-- One row per EDGAR company with its current description. Facts that change over time (names, tickers, descriptions,
-- states, classes, currencies, ends of fiscal years, reports, share counts, valuations, inputs of scores) are lists
-- with knowledge times, from which a cutoff can choose. Each entry of valuations has its own is_redistributable.
-- no_multiples: the type of an empty set of multiples.
with

reports as (
    select cik, list({ period_end: period_end, filed_at: filed_at, observed_at: observed_at } order by observed_at, period_end) as reports
    from (
        select cik, report_date as period_end, coalesce(accepted_at, observed_at) as filed_at, version_at as observed_at
        from filings.stated_filings
        where is_periodic_form(form) and report_date is not null
        union
        select cik, max(period_end), min(coalesce(accepted_at, filed_at)), observed_at
        from (
            select
                cik,
                accession_number,
                period_end,
                accepted_at,
                observed_at,
                min(observed_at) over (partition by cik, accession_number) as filed_at,
            from published.financial_statements
        )
        group by cik, accession_number, observed_at
    )
    group by all
),

shares as (
    -- The share count for multiples and screens. Null while its sources contradict each other.
    select cik, list({ shares_as_of: shares_date, shares: shares, observed_at: known_at } order by known_at) as share_counts
    from valuations.share_counts
    group by all
),

classes as (
    select
        cik,
        list({ sector: sector, industry: industry, sic: sic, is_financial: is_financial, known_from: known_from } order by known_from) as classes
    from filings.company_classes
    group by all
),

currencies as (
    select cik, list({ currency: currency, known_from: known_from } order by known_from) as currencies
    from filings.reporting_currencies
    group by all
),

-- The submissions file counts from its retrieval on, until an annual report on a later year.
year_ends as (
    select cik, list({ fiscal_year_end: fiscal_year_end, known_from: known_from } order by known_from, is_listed) as fiscal_year_ends
    from (
        select cik, known_from, strftime(year_end, '%m-%d') as fiscal_year_end, false as is_listed
        from filings.fiscal_year_ends
        window earlier as (partition by cik order by known_from, year_end desc rows between unbounded preceding and 1 preceding)
        qualify
            year_end > coalesce(max(year_end) over earlier, date '0001-01-01')
            and row_number() over (partition by cik, known_from order by year_end desc) = 1
        union
        select cik, observed_at, left(fiscal_year_end, 2) || '-' || right(fiscal_year_end, 2), true
        from lake.companies
        where fiscal_year_end is not null
    )
    group by all
),

names as (
    select cik, list({ name: name, known_from: known_from } order by known_from nulls first) as names
    from series.filer_names
    group by all
),

-- One entry per holding and position of the ticker among those of the filer.
listings as (
    select
        cik,
        list({ ticker: ticker, place: place, known_from: known_from, known_to: known_to } order by place, ticker, known_from) as listings
    from (
        select
            cik,
            ticker,
            one.place as place,
            one.known_from as known_from,
            coalesce(lead(one.known_from) over (partition by cik, ticker, claimed_from order by one.known_from), held_to) as known_to
        from (
            select cik, ticker, claimed_from, held_to, unnest(places) as one
            from series.ticker_holders
        )
    )
    group by all
),

descriptions as (
    select cik, list({ country: country, lei: lei, exchange: exchange, known_from: known_from } order by known_from) as descriptions
    from series.filer_descriptions
    group by all
),

states as (
    select cik, list({ status: status, had_ticker: had_ticker, known_from: known_from } order by known_from) as states
    from series.filer_states
    group by all
),

valued as (
    -- Sorted by the day of the price: restating a valuation does not make it newer.
    select cik, list(company_valuations order by price_as_of, known_at, price_source) as valuations
    from (select * exclude (entity_id, reasons) from valuations.company_valuations) as company_valuations
    group by all
),

-- Taxonomies that only accompany the taxonomy of statements do not count.
unread as (
    select cik, list({ taxonomy: taxonomy, known_from: known_from } order by known_from, taxonomy) as unread_taxonomies
    from (
        select cik, taxonomy, min(observed_at) as known_from
        from filings.company_facts
        where
            taxonomy not in (
                'us-gaap', 'ifrs-full', 'dei', 'srt', 'invest', 'ecd', 'cyd', 'ffd', 'country', 'currency', 'exch', 'naics', 'sic', 'stpr'
            )
        group by all
    )
    group by all
),

measured as (
    select cik, list(score_inputs order by known_at) as score_inputs
    from valuations.score_inputs
    group by all
)

select
    'company_' || filers.cik as company_id,
    'company_' || filers.cik as entity_id,
    filers.cik,
    entities.codes.lei,
    entities.codes.ticker,
    entities.codes.mic as exchange,
    coalesce(list_transform(list_filter(listings.listings, lambda one: one.known_to is null), lambda one: one.ticker), []) as tickers,
    filers.name,
    coalesce(names.names, [{ name: filers.name, known_from: null::timestamptz }]) as names,
    coalesce(listings.listings, []) as listings,
    coalesce(descriptions.descriptions, []) as descriptions,
    coalesce(states.states, []) as states,
    coalesce(classes.classes, []) as classes,
    'SIC' as classification_scheme,
    entities.country,
    currencies.currencies[-1].currency as reporting_currency,
    coalesce(currencies.currencies, []) as currencies,
    coalesce(unread.unread_taxonomies, []) as unread_taxonomies,
    year_ends.fiscal_year_ends[-1].fiscal_year_end as fiscal_year_end,
    coalesce(year_ends.fiscal_year_ends, []) as fiscal_year_ends,
    coalesce(states.states[-1].status, 'unknown') as status,
    coalesce(shares.share_counts, []) as share_counts,
    coalesce(reports.reports, []) as reports,
    coalesce(valued.valuations, []) as valuations,
    coalesce(measured.score_inputs, []) as score_inputs,
    (
        select multiples_by_name(slug, value) from valuations.valuation_multiples
        where false
    ) as no_multiples,
    coalesce(sources.is_redistributable, false) as are_prices_open,
    filers.known_from,
from filings.filers
left join series.entities on entities.entity_id = 'company_' || filers.cik
left join names using (cik)
left join listings using (cik)
left join descriptions using (cik)
left join states using (cik)
left join classes using (cik)
left join currencies using (cik)
left join year_ends using (cik)
left join unread using (cik)
left join reports using (cik)
left join shares using (cik)
left join valued using (cik)
left join measured using (cik)
left join reference.sources on sources.source_id = 'quotes'
order by filers.cik
