-- Every series, observed and derived, with the facts for verdicts on its rows: budget, tier, rights, factor. One row
-- per series_no. If a series comes from the generated sample (jobs/sample, keys below sample/), or is computed from it,
-- its attribution names the sample.
with

both_kinds as (
    select
        series.* exclude (source_tier, provider, successor_canonical_id),
        false as is_derived,
        source_tier,
        provider,
        successor_canonical_id,
        false as are_inputs_eligible,
        null::timestamptz as inputs_ceased_at,
        if(series.is_redistributable, [], [series.source_id]) as licensed_source_ids,
    from series.series
    union all by name
    select
        derived_series.* exclude (dataset_no),
        true as is_derived,
        'service_derived' as source_tier,
        'asof' as provider,
    from derived.derived_series
)

select
    both_kinds.series_no,
    both_kinds.source_id,
    both_kinds.indicator_id,
    both_kinds.canonical_id,
    both_kinds.entity_id,
    -- A payload may contain an entity without a description. Its identifier is then its name.
    coalesce(entities.entity_type, 'instrument') as entity_type,
    coalesce(entities.name, both_kinds.entity_id) as entity_name,
    entities.country,
    both_kinds.series_code,
    both_kinds.frequency,
    both_kinds.unit,
    coalesce(
        both_kinds.currency, if(entities.entity_type = 'currency', entities.currency, null), if(starts_with(both_kinds.unit, 'usd'), 'USD', null)
    ) as currency,
    both_kinds.provider,
    both_kinds.source_tier,
    both_kinds.is_derived,
    both_kinds.is_redistributable,
    both_kinds.licensed_source_ids,
    both_kinds.license,
    both_kinds.rights_note,
    both_kinds.ceased_at,
    both_kinds.ceased_final_period,
    both_kinds.entity_id || '_' || both_kinds.successor_canonical_id as successor_indicator_id,
    budgets.budget_days as default_budget_days,
    indicators.name as indicator_name,
    indicators.category,
    indicators.sub_category,
    indicators.factor_hint,
    factor_of(entities.entity_type, indicators.factor_key) as factor_key,
    factors.unit as factor_unit,
    -- A balance is both a unit and a basis: in another unit, the series is a level.
    if(indicators.comparison_basis = 'balance' and both_kinds.unit != indicators.unit, 'level', indicators.comparison_basis) as comparison_basis,
    factors.comparison_basis as factor_comparison_basis,
    indicators.importance,
    indicators.is_monetary,
    indicators.seasonal_adjustment,
    indicators.seasonal_adjustment = factors.seasonal_adjustment as is_seasonal_adjustment_match,
    nullif(list_position(indicators.preferred_source_ids, both_kinds.source_id), 0) as source_rank,
    both_kinds.are_inputs_eligible,
    both_kinds.inputs_ceased_at,
    if(starts_with(runs.key, 'sample/'), 'SAMPLE DATA, generated, not real: ', '')
    -- Data that a vendor only passes on is attributed to its original publisher.
    || if(
        sources.source_tier = 'market_data' and not both_kinds.is_derived and both_kinds.provider != sources.provider,
        both_kinds.provider,
        sources.attribution
    )
        as attribution,
    -- The page of the data set. The file of each value is stored per vintage.
    if(starts_with(runs.key, 'sample/'), null, sources.address) as source_url,
from both_kinds
inner join reference.canonical_indicators as indicators using (canonical_id)
left join series.entities using (entity_id)
inner join reference.canonical_indicators as factors
    on factors.canonical_id = coalesce(factor_of(entities.entity_type, indicators.factor_key), indicators.canonical_id)
inner join reference.sources using (source_id)
left join reference.cadence_budgets as budgets on budgets.cadence = both_kinds.frequency
left join series.runs on runs.run_id = both_kinds.newest_run_id
