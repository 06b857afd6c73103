-- The quantities for which surveys of forecasters ask: the mean of the months or quarters of a longer period, or with
-- an exponent its growth in percent from the mean of the period before, 100 · ((mean / mean before) ^ exponent − 1).
-- Only for entities that a survey covers (reference.consensus). One row per input series, period and moment from which
-- all parts were known and one of them had changed. Null if a part was withdrawn, if a mean is not positive (for
-- growth), or if the result is not finite.
with

asked as (
    select distinct
        listed.slug,
        listed.unit,
        listed.frequency,
        listed.exponent,
        if(listed.frequency = 'annual', 12, 3) as span_months,
        span_months // if(series.frequency = 'monthly', 1, 3) as parts,
        series.series_no,
        series.source_id,
        series.entity_id,
    from reference.derived_indicators as listed, unnest(string_split(listed.input, ';')) as level (canonical_id)
    inner join series.series on series.canonical_id = level.canonical_id
    inner join reference.consensus on consensus.canonical_id = listed.slug and consensus.entity_id = series.entity_id
    where listed.family = 'period_mean' and series.frequency in ('monthly', 'quarterly')
),

levels as (
    select
        asked.slug,
        asked.span_months,
        vintages.*,
        last_day(
            date_trunc(if(asked.frequency = 'annual', 'year', 'quarter'), vintages.period_end) + to_months((asked.span_months - 1)::integer)
        ) as mean_end,
    from series.vintages
    inner join asked using (series_no)
),

-- A level counts for its own period, and for the growth of the next one.
counted as (
    select levels.*, 'level' as "role"
    from levels
    union all by name
    select levels.* replace (last_day(levels.mean_end + to_months(levels.span_months::integer)) as mean_end), 'level_before' as "role"
    from levels
    inner join asked using (slug, series_no)
    where asked.exponent is not null
),

moments as (select distinct slug, series_no, mean_end, observed_at as moment from counted),

held as (
    select
        moments.slug,
        moments.series_no,
        moments.mean_end,
        moments.moment,
        count(*) filter (where counted."role" = 'level') as levels,
        count(*) filter (where counted."role" = 'level_before') as levels_before,
        count(counted.value) = count(*) as is_whole,
        list_sum(list(counted.value order by counted.period_end) filter (where counted."role" = 'level')) as total,
        list_sum(list(counted.value order by counted.period_end) filter (where counted."role" = 'level_before')) as total_before,
        max_by(counted.released_at, (counted.observed_at, counted.period_end)) as released_at,
        max(counted.retrieved_at) as retrieved_at,
        max(counted.ingested_at) as ingested_at,
        max(counted.change_sequence) as change_sequence,
        list(
            { series_no: counted.series_no, period: counted.period, vintage: counted.vintage, "role": counted."role" }
            order by counted."role", counted.period_end
        ) as inputs,
        list(distinct counted.run_id order by counted.run_id) as input_run_ids,
        max_by(counted.run_id, (counted.observed_at, counted.period_end)) as source_run_id,
    from moments
    inner join counted
        on counted.slug = moments.slug
        and counted.series_no = moments.series_no
        and counted.mean_end = moments.mean_end
        and counted.observed_at <= moments.moment
        and moments.moment < coalesce(counted.known_to, timestamptz 'infinity')
    group by all
),

computed as (
    select
        held.*,
        asked.unit,
        asked.source_id,
        asked.entity_id,
        asked.frequency,
        case
            when not held.is_whole then null
            when asked.exponent is null then held.total / asked.parts
            when held.total > 0 and held.total_before > 0 then 100 * (pow(held.total / held.total_before, asked.exponent) - 1)
        end as result,
    from held
    inner join asked using (slug, series_no)
    where held.levels = asked.parts and held.levels_before = if(asked.exponent is null, 0, asked.parts)
)

select
    slug as canonical_id,
    unit,
    series_no as input_series_no,
    source_id,
    entity_id,
    frequency,
    year(mean_end) || if(frequency = 'annual', '', '-Q' || quarter(mean_end)) as period,
    date_trunc(if(frequency = 'annual', 'year', 'quarter'), mean_end)::date as period_start,
    mean_end as period_end,
    if(isfinite(result), result, null) as value,
    null::varchar as value_text,
    null::varchar as metadata,
    moment as observed_at,
    released_at,
    retrieved_at,
    ingested_at,
    change_sequence,
    inputs,
    input_run_ids,
    source_run_id,
from computed
