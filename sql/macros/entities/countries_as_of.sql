-- Countries and currency areas as of the cutoff, from their first day on. on_day: the day of the cutoff, or today
-- without one.
create or replace macro countries_as_of(as_of, on_day) as table
    with

    described as (
        select *, name_at(names, name, as_of) as name_then
        from published.countries
        where valid_from is null or valid_from <= on_day
    )

    select
        * exclude (names, currencies, memberships, valid_from, name_then) replace (
            name_then as name,
            if(name_then = name, official_name, null) as official_name,
            if(len(currencies) = 0, currency, currency_at(currencies, on_day)) as currency,
            if(len(currencies) = 0, central_bank_entity_id, central_bank_at(currencies, on_day)) as central_bank_entity_id,
            member_of_at(memberships, on_day) as member_of
        ),
    from described
