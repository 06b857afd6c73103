-- The entities as described at the cutoff. on_day: the day of the cutoff, or today without one.
-- A company, contract, instrument or region without data known by then is left out, and so is a country, currency area,
-- currency or central bank before its first day. An entity that ended later is active. A company's ticker, exchange,
-- country and other facts come from the lists and files retrieved by then.
-- `seen`: the entities with visible data known by then, if the caller may not see everything.
create or replace macro entities_as_of(as_of, on_day, seen := null) as table
    with

    companies as (
        select
            entity_id,
            list_filter(descriptions, lambda one: one.known_from <= as_of)[-1] as description,
            list_filter(states, lambda one: one.known_from <= as_of)[-1] as state,
            list_filter(listings, lambda one: one.known_from <= as_of and coalesce(one.known_to > as_of, true))[1] as listing,
        from published.companies
        where as_of is not null
    ),

    described as (
        select
            entities.*,
            companies.description,
            companies.state,
            companies.listing,
            as_of is not null and entity_type = 'company' as is_filer_of_then,
            name_at(names, name, as_of) as name_then,
            coalesce(valid_to >= on_day, false) as is_yet_to_end,
        from published.entities
        left join companies using (entity_id)
        where if(
            entity_type in ('country', 'currency_area', 'currency', 'central_bank'),
            valid_from is null or valid_from <= on_day,
            as_of is null or if(seen is null, known_from <= as_of, list_contains(seen, entity_id))
        )
    )

    select
        * exclude (
            names, currencies, known_from, ticker_known_from, successor_known_from, name_then, is_yet_to_end, description, state, listing,
            is_filer_of_then
        ) replace (
            name_then as name,
            if(name_then = name, short_name, null) as short_name,
            if(len(currencies) = 0, currency, currency_at(currencies, on_day)) as currency,
            if(is_filer_of_then, description.country, country) as country,
            if(is_filer_of_then, description.lei, lei) as lei,
            case
                when is_filer_of_then then listing.ticker
                when ticker_known_from > as_of then null
                else ticker
            end as ticker,
            case
                when not is_filer_of_then then mic
                when listing is not null then description.exchange
            end as mic,
            case
                when is_filer_of_then and successor_known_from <= as_of then 'merged'
                when is_filer_of_then then entity_status(state.status, state.had_ticker)
                when is_yet_to_end then 'active'
                else status
            end as status,
            if(is_yet_to_end or successor_known_from > as_of, null, successor_entity_id) as successor_entity_id,
            if(is_yet_to_end, null, valid_to) as valid_to
        ),
    from described
