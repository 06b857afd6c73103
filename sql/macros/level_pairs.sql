-- The level of one canonical indicator beside the level of the period that ended `months` earlier, both as they stood at the same moment. One row per
-- input series, period and pair of vintages that held together, from the moment at which both were known. A withdrawn level is null.
create or replace macro level_pairs(level_id, level_frequency, months) as table
    with

    levels as (
        select
            series.source_id,
            series.entity_id,
            series.frequency,
            vintages.*,
        from series.vintages
        inner join series.series using (series_no)
        where series.canonical_id = level_id and series.frequency = level_frequency
    )

    select
        newer.series_no as input_series_no,
        newer.source_id,
        newer.entity_id,
        newer.frequency,
        newer.period,
        newer.period_start,
        newer.period_end,
        newer.value as level,
        older.value as level_before,
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
