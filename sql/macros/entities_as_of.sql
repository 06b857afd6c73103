-- The entities as they were described at the cutoff; on_day: its day, or without a cutoff today. A company, contract, instrument or region of which
-- nothing was known by then is left out, and so is a country, currency area, currency or central bank before its first day. What ended later is
-- active.
create or replace macro entities_as_of(as_of, on_day) as table
    with

    described as (
        select *, name_at(names, name, as_of) as name_then, coalesce(valid_to >= on_day, false) as is_yet_to_end
        from published.entities
        where if(
            entity_type in ('country', 'currency_area', 'currency', 'central_bank'),
            valid_from is null or valid_from <= on_day,
            as_of is null or known_from <= as_of
        )
    )

    select
        * exclude (names, currencies, known_from, name_then, is_yet_to_end) replace (
            name_then as name,
            if(name_then = name, short_name, null) as short_name,
            if(len(currencies) = 0, currency, currency_at(currencies, on_day)) as currency,
            if(is_yet_to_end, 'active', status) as status,
            if(is_yet_to_end, null, successor_entity_id) as successor_entity_id,
            if(is_yet_to_end, null, valid_to) as valid_to
        ),
    from described
