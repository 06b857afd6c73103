-- One row per derived indicator, with or without values, and one for the baseline forecasts, which count each forecast
-- in its last state. is_redistributable: some combination of inputs is redistributable. It is also true if there is
-- none at all, because then nothing is withheld. preferred_source_id: the first available preferred source.
with

series as (
    select
        canonical_id,
        list(distinct source_id order by source_id) as source_ids,
        list(distinct entity_id order by entity_id) as entity_ids,
        count(distinct entity_id) as entity_count,
        sum(observation_count)::bigint as observation_count,
        max(latest_period_end) as latest_period_end,
        bool_or(is_redistributable) as is_redistributable,
        arg_min(source_id, (source_rank, source_id)) filter (where source_rank is not null) as preferred_source_id,
    from published.series
    where is_derived
    group by all
),

-- The newest forecast for each newest period, by the last day of the forecast period.
forecasts as (
    select distinct on (series_no, base_period)
        series.canonical_id,
        series.source_id,
        series.entity_id,
        last_day(
            case series.frequency
                when 'monthly' then strptime(forecasts.forecast_period || '-01', '%Y-%m-%d')::date
                when 'quarterly' then make_date(left(forecasts.forecast_period, 4)::integer, 3 * right(forecasts.forecast_period, 1)::integer, 1)
                else make_date(forecasts.forecast_period::integer, 12, 1)
            end
        ) as period_end,
        forecasts.forecast_method as method,
        forecasts.observed_at,
    from published.forecasts
    inner join published.series using (series_no)
    order by forecasts.series_no, forecasts.base_period, forecasts.observed_at desc
),

forecast_baseline as (
    select
        'forecast_baseline' as slug,
        'Baseline Forecast of Macro Series' as name,
        'forecast' as family,
        null::varchar as unit,
        'monthly' as cadence,
        coalesce(list(distinct canonical_id order by canonical_id), []) as derived_from,
        coalesce(list(distinct source_id order by source_id), []) as source_ids,
        coalesce(list(distinct entity_id order by entity_id), []) as entity_ids,
        count(distinct entity_id) as entity_count,
        count(*)::bigint as observation_count,
        max(period_end) as latest_period_end,
        knowledge_cutoff() as refreshed_at,
        true as is_redistributable,
        null::varchar as preferred_source_id,
        -- The combination of the model in force. If none ever beat the naive forecast, that one.
        coalesce(arg_max(method, observed_at) filter (method != 'naive_v1'), 'naive_v1') as method,
    from forecasts
)

select
    catalogue.slug,
    indicators.name,
    catalogue.family,
    indicators.unit,
    indicators.frequency as cadence,
    indicators.derived_from,
    coalesce(series.source_ids, []) as source_ids,
    coalesce(series.entity_ids, []) as entity_ids,
    coalesce(series.entity_count, 0) as entity_count,
    coalesce(series.observation_count, 0)::bigint as observation_count,
    series.latest_period_end,
    knowledge_cutoff() as refreshed_at,
    coalesce(series.is_redistributable, true) as is_redistributable,
    coalesce(series.preferred_source_id, series.source_ids[1]) as preferred_source_id,
    catalogue.method,
from reference.derived_indicators as catalogue
inner join reference.canonical_indicators as indicators on indicators.canonical_id = catalogue.slug
left join series on series.canonical_id = catalogue.slug
union all by name
from forecast_baseline
order by slug
