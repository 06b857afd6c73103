-- Growth of the level of one canonical indicator on the level of the period that ended `months` earlier, both as they stood at the same moment:
-- 100 · ((level / level before) ^ exponent − 1), in percent; the exponent annualises. One row per input series, period and pair of vintages that
-- held together. A withdrawn level, or one that is not positive, gives null.
create or replace macro growth_rates(derived_id, level_id, level_frequency, months, exponent) as table
    with

    levels as (
        select
            series.source_id,
            series.entity_id,
            series.frequency,
            vintages.*,
        from intermediate.vintages
        inner join intermediate.series using (series_no)
        where series.canonical_id = level_id and series.frequency = level_frequency
    )

    select
        derived_id as canonical_id,
        'percent' as unit,
        newer.series_no as input_series_no,
        newer.source_id,
        newer.entity_id,
        newer.frequency,
        newer.period,
        newer.period_start,
        newer.period_end,
        if(older.value > 0, 100 * (pow(newer.value / older.value, exponent) - 1), null) as value,
        null::varchar as value_text,
        null::varchar as metadata,
        greatest(newer.observed_at, older.observed_at) as observed_at,
        if(newer.observed_at >= older.observed_at, newer.released_at, older.released_at) as released_at,
        greatest(newer.retrieved_at, older.retrieved_at) as retrieved_at,
        greatest(newer.ingested_at, older.ingested_at) as ingested_at,
        greatest(newer.change_sequence, older.change_sequence) as change_sequence,
        [
            {series_no: newer.series_no, period: newer.period, vintage: newer.vintage, role: 'level'},
            {series_no: older.series_no, period: older.period, vintage: older.vintage, role: 'level_before'}
        ] as inputs,
    from levels as newer
    inner join levels as older
        on older.series_no = newer.series_no
        and older.period_end = last_day(newer.period_end - to_months(months))
        and older.observed_at < coalesce(newer.known_to, timestamptz 'infinity')
        and newer.observed_at < coalesce(older.known_to, timestamptz 'infinity')
