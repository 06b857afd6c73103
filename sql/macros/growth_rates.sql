-- Growth of the level of one canonical indicator on the level of the period that ended `months` earlier, both as they stood at the same moment:
-- 100 · ((level / level before) ^ exponent − 1), in percent; the exponent annualises. One row as in level_pairs. A withdrawn level, or one that
-- is not positive, gives null, and so does a rate beyond all numbers.
create or replace macro growth_rates(derived_id, level_id, level_frequency, months, exponent) as table
    with

    rates as (
        select
            *,
            if(level > 0 and level_before > 0, 100 * (pow(level / level_before, exponent) - 1), null) as rate,
        from level_pairs(level_id, level_frequency, months)
    )

    select
        derived_id as canonical_id,
        'percent' as unit,
        * exclude (level, level_before, rate),
        if(isfinite(rate), rate, null) as value,
    from rates
