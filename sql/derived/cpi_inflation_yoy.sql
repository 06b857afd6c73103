-- Consumer price inflation: 100 · (index / index of the same month a year ago − 1), in percent, computed within one vintage: both levels as
-- they stood at the same moment. One row per input series, month and pair of vintages that held together. A withdrawn level withdraws the rate.
with

levels as (
    select
        series.series_no,
        series.source_id,
        series.entity_id,
        series.frequency,
        vintages.* exclude (series_no),
    from intermediate.vintages
    inner join intermediate.series using (series_no)
    where series.canonical_id = 'cpi' and series.frequency = 'monthly'
),

paired as (
    select
        newer.series_no as input_series_no,
        newer.source_id,
        newer.entity_id,
        newer.frequency,
        newer.period,
        newer.period_start,
        newer.period_end,
        if(older.value > 0, 100 * (newer.value / older.value - 1), null) as value,
        greatest(newer.observed_at, older.observed_at) as observed_at,
        if(newer.observed_at >= older.observed_at, newer.released_at, older.released_at) as released_at,
        greatest(newer.retrieved_at, older.retrieved_at) as retrieved_at,
        greatest(newer.ingested_at, older.ingested_at) as ingested_at,
        greatest(newer.change_sequence, older.change_sequence) as change_sequence,
        [
            {series_no: newer.series_no, period: newer.period, vintage: newer.vintage, role: 'level'},
            {series_no: older.series_no, period: older.period, vintage: older.vintage, role: 'level_year_ago'}
        ] as inputs,
    from levels as newer
    inner join levels as older
        on older.series_no = newer.series_no
        and older.period_end = last_day(newer.period_end - interval 12 month)
        and older.observed_at < coalesce(newer.known_to, timestamptz 'infinity')
        and newer.observed_at < coalesce(older.known_to, timestamptz 'infinity')
)

select
    'cpi_inflation_yoy' as canonical_id,
    'percent' as unit,
    input_series_no,
    source_id,
    entity_id,
    frequency,
    period,
    period_start,
    period_end,
    value,
    null::varchar as value_text,
    null::varchar as metadata,
    observed_at,
    released_at,
    retrieved_at,
    ingested_at,
    change_sequence,
    inputs,
from paired
