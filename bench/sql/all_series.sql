-- The generated counterpart of derived.all_series: every entity has each of 40 monthly factors, ten in each of four datasets.
-- Within a dataset the series are numbered by entity, then factor.
with

factors as (
    select
        *,
        (row_number() over (order by canonical_id) - 1) % 4 + 1 as dataset_no,
        (row_number() over (order by canonical_id) - 1) // 4 as factor_no,
    from (
        from reference.canonical_indicators
        where frequency = 'monthly' and list_contains(entity_types, 'country') and not is_derived
        order by canonical_id
        limit 40
    )
),

numbered as (
    select *, row_number() over (order by entity_type != 'country', entity_id) - 1 as entity_no
    from series.entities
    where entity_type in ('country', 'region')
    qualify entity_no < getvariable('entities')
)

select
    (factors.dataset_no << 20) + 1 + numbered.entity_no * 10 + factors.factor_no as series_no,
    sources.source_id,
    numbered.entity_id || '_' || factors.canonical_id as indicator_id,
    factors.canonical_id,
    numbered.entity_id,
    numbered.entity_type,
    numbered.name as entity_name,
    if(numbered.entity_type = 'country', numbered.country, null) as country,
    'GEN' || factors.factor_no as series_code,
    'monthly' as frequency,
    factors.unit,
    numbered.currency,
    sources.provider,
    sources.source_tier,
    false as is_derived,
    sources.is_redistributable,
    if(sources.is_redistributable, [], [sources.source_id]) as licensed_source_ids,
    sources.license,
    sources.rights_note,
    null::timestamptz as ceased_at,
    null::varchar as ceased_final_period,
    null::varchar as successor_indicator_id,
    budgets.budget_days as default_budget_days,
    factors.name as indicator_name,
    factors.category,
    factors.sub_category,
    factors.factor_hint,
    factor_of(numbered.entity_type, factors.factor_key) as factor_key,
    factors.unit as factor_unit,
    factors.comparison_basis,
    factors.comparison_basis as factor_comparison_basis,
    factors.importance,
    factors.is_monetary,
    factors.seasonal_adjustment,
    true as is_seasonal_adjustment_match,
    nullif(list_position(factors.preferred_source_ids, sources.source_id), 0) as source_rank,
    false as are_inputs_eligible,
    null::timestamptz as inputs_ceased_at,
    'GENERATED for measurements, not real' as attribution,
    sources.address as source_url,
from numbered
cross join factors
inner join reference.sources on sources.source_no = factors.dataset_no
left join reference.cadence_budgets as budgets on budgets.cadence = 'monthly'
order by series_no
