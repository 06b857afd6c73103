-- The transforms of macro series in reference.derived_indicators with `months`: the level of one series and its level
-- so many months earlier, both as of the same moment. With an exponent the growth in percent, 100 · ((level / level
-- before) ^ exponent − 1), where the exponent annualises; without one the change, in the unit of the level. One row per
-- input series, period and pair of vintages that were in force together, from the moment at which both were known. Null
-- if a level was withdrawn, if one is not positive (for growth), or if the result is not finite.
with

transforms as (
    select * from reference.derived_indicators
    where months is not null
),

levels as (
    select inputs.slug, inputs.source_id, inputs.entity_id, inputs.frequency, vintages.*
    from series.vintages
    inner join derived.transform_inputs as inputs using (series_no)
),

paired as (
    select
        transforms.slug,
        transforms.unit,
        if(
            transforms.exponent is null,
            newer.value - older.value,
            if(newer.value > 0 and older.value > 0, 100 * (pow(newer.value / older.value, transforms.exponent) - 1), null)
        ) as result,
        newer,
        older,
    from transforms
    inner join levels as newer on newer.slug = transforms.slug
    inner join levels as older
        on older.slug = newer.slug
        and older.series_no = newer.series_no
        and older.period_end = last_day(newer.period_end - to_months(transforms.months))
        and older.observed_at < coalesce(newer.known_to, timestamptz 'infinity')
        and newer.observed_at < coalesce(older.known_to, timestamptz 'infinity')
)

select
    slug as canonical_id,
    unit,
    newer.series_no as input_series_no,
    newer.source_id as source_id,
    newer.entity_id as entity_id,
    newer.frequency as frequency,
    newer.period as period,
    newer.period_start as period_start,
    newer.period_end as period_end,
    if(isfinite(result), result, null) as value,
    null::varchar as value_text,
    null::varchar as metadata,
    greatest(newer.observed_at, older.observed_at) as observed_at,
    if(newer.observed_at >= older.observed_at, newer.released_at, older.released_at) as released_at,
    greatest(newer.retrieved_at, older.retrieved_at) as retrieved_at,
    greatest(newer.ingested_at, older.ingested_at) as ingested_at,
    greatest(newer.change_sequence, older.change_sequence) as change_sequence,
    [
        { series_no: newer.series_no, period: newer.period, vintage: newer.vintage, role: 'level' },
        { series_no: older.series_no, period: older.period, vintage: older.vintage, role: 'level_before' }
    ] as inputs,
    [newer.run_id, older.run_id] as input_run_ids,
    if(newer.observed_at >= older.observed_at, newer.run_id, older.run_id) as source_run_id,
from paired
