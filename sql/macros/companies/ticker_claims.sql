-- The filers to which EDGAR's lists gave a ticker. One row per ticker and continuous holding: cik holds it during
-- [claimed_from, claimed_to); claimed_to is null while it does. claimed_from is the retrieval of the list that first
-- gave it. places: the ticker's position among those of the filer, over time.
-- companies, ingestions: names of the tables with the lists' contents and with the file of each payload.
-- A filer's tickers are those of the newest statement in company_tickers.json or its submissions; an empty statement
-- ends them. If two filers claim a ticker, the one in company_tickers.json holds it, else the later one.
create or replace macro ticker_claims(companies, ingestions) as table
    with

    files as (
        select payload_id, bool_or(regexp_matches(key, '(^|/)sec/company_tickers\.json$')) as is_list
        from query_table(ingestions)
        group by all
    ),

    said as (
        select
            companies.cik,
            companies.observed_at as said_at,
            companies.tickers,
            companies.record_hash,
            coalesce(files.is_list, false) as is_list,
        from query_table(companies) as companies
        left join files using (payload_id)
    ),

    statements as (
        select distinct on (cik, said_at) *
        from said
        order by cik, said_at, len(tickers) desc, is_list desc, record_hash
    ),

    listed as (
        select cik, ticker, min(said_at) as listed_from
        from (
            select cik, said_at, unnest(tickers) as ticker from said
            where is_list
        )
        group by all
    ),

    placed as (
        select
            statements.cik,
            known.ticker,
            statements.said_at,
            nullif(coalesce(list_position(statements.tickers, known.ticker), 0), 0) as place,
        from statements
        inner join (select distinct cik, unnest(tickers) as ticker from statements) as known using (cik)
    ),

    moves as (
        select *
        from placed
        window moments as (partition by cik, ticker order by said_at)
        qualify place is distinct from lag(place) over moments
    ),

    spans as (
        select
            *,
            lead(said_at) over moments as said_to,
            count(*) filter (where is_begin) over moments as span_no,
        from (
            select *, place is not null and lag(place) over (partition by cik, ticker order by said_at) is null as is_begin
            from moves
        )
        window moments as (partition by cik, ticker order by said_at)
    ),

    claims as (
        select
            cik,
            ticker,
            min(said_at) as claimed_from,
            last(said_to order by said_at) as claimed_to,
            list({ place: place, known_from: said_at } order by said_at) as places,
            any_value(listed_from) as listed_from,
        from spans
        left join listed using (cik, ticker)
        where place is not null
        group by cik, ticker, span_no
    ),

    moments as (
        select ticker, claimed_from as moment from claims
        union
        select ticker, claimed_to from claims
        where claimed_to is not null
        union
        select ticker, listed_from from claims
        where listed_from > claimed_from and coalesce(listed_from < claimed_to, true)
    ),

    holders as (
        select moments.ticker, moments.moment, claims.cik, claims.claimed_from, claims.places
        from moments
        left join claims
            on claims.ticker = moments.ticker
            and claims.claimed_from <= moments.moment
            and coalesce(claims.claimed_to > moments.moment, true)
        qualify
            row_number() over (
                partition by moments.ticker, moments.moment
                order by coalesce(claims.listed_from <= moments.moment, false) desc, claims.claimed_from desc nulls last, claims.cik
            ) = 1
    ),

    handed as (
        select *, lead(moment) over (partition by ticker order by moment) as moment_after
        from (
            select *
            from holders
            window moments as (partition by ticker order by moment)
            qualify cik is distinct from lag(cik) over moments or claimed_from is distinct from lag(claimed_from) over moments
        )
    )

    select
        ticker,
        cik,
        moment as claimed_from,
        moment_after as claimed_to,
        list_filter(places, lambda one: coalesce(one.known_from < moment_after, true)) as places,
    from handed
    where cik is not null
