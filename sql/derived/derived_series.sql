-- One row per derived series: derived indicator x entity x source of the inputs. Limits of an input apply to its
-- results. A series computed from documents has no input series, and has the limits of their source.
with

found as (
    select
        canonical_id,
        source_id,
        entity_id,
        frequency,
        any_value(unit) as unit,
        list(distinct input.series_no order by input.series_no) filter (where input is not null) as input_series_nos,
        max_by(run_id, (retrieved_at, run_id)) filter (where input is null) as newest_run_id,
    from (
        select canonical_id, source_id, entity_id, frequency, unit, run_id, retrieved_at, unnest(if(inputs = [], [null], inputs)) as input
        from derived.derived_rows
    )
    group by all
),

inputs as (
    select
        found.canonical_id,
        found.source_id,
        found.entity_id,
        found.frequency,
        bool_and(series.is_redistributable) as is_redistributable,
        coalesce(list(distinct series.source_id order by series.source_id) filter (where not series.is_redistributable), []) as licensed_source_ids,
        if(bool_and(series.ceased_at is not null), max(series.ceased_at), null) as ceased_at,
        if(bool_and(series.ceased_at is not null), max(series.ceased_final_period), null) as ceased_final_period,
        min(series.ceased_at) as inputs_ceased_at,
        bool_and(
            len(scoring_reasons(
                series.canonical_id, series.source_tier, series.frequency, series.unit, factors.unit, indicators.comparison_basis,
                factors.comparison_basis, false
            )) = 0
        ) as are_inputs_eligible,
        string_agg(distinct series.license, '; ' order by series.license) as license,
        string_agg(distinct series.rights_note, '; ' order by series.rights_note) as rights_note,
        max(series.newest_run_id) as newest_run_id,
    from found, unnest(found.input_series_nos) as input (input_series_no)
    inner join series.series on series.series_no = input.input_series_no
    inner join reference.canonical_indicators as indicators on indicators.canonical_id = series.canonical_id
    left join series.entities on entities.entity_id = series.entity_id
    inner join reference.canonical_indicators as factors
        on factors.canonical_id = coalesce(factor_of(entities.entity_type, indicators.factor_key), indicators.canonical_id)
    group by all
),

documents as (
    select
        found.canonical_id,
        found.source_id,
        found.entity_id,
        found.frequency,
        sources.is_redistributable,
        if(sources.is_redistributable, [], [source_id]) as licensed_source_ids,
        null::timestamptz as ceased_at,
        null::varchar as ceased_final_period,
        null::timestamptz as inputs_ceased_at,
        is_scoring_tier(sources.source_tier) as are_inputs_eligible,
        sources.license,
        sources.rights_note,
        found.newest_run_id,
    from found
    inner join reference.sources using (source_id)
    where found.input_series_nos is null
),

limited as (
    from inputs
    union all by name
    from documents
)

select
    catalogue.dataset_no * 1048576
    + row_number() over (partition by found.canonical_id order by found.source_id, found.entity_id, found.frequency) as series_no,
    catalogue.dataset_no,
    found.source_id,
    found.entity_id || '_' || found.canonical_id as indicator_id,
    found.entity_id,
    found.canonical_id,
    found.frequency,
    found.unit,
    limited.* exclude (canonical_id, source_id, entity_id, frequency),
from found
inner join limited using (canonical_id, source_id, entity_id, frequency)
inner join reference.derived_indicators as catalogue on catalogue.slug = found.canonical_id
