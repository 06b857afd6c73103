-- The series catalogue: one row per series, with reach, cadence budget, tier, rights, and freshness, eligibility and preference as they
-- stand at the snapshot's knowledge cutoff: budget_days is what was learned by then, else the default of the cadence. is_preferred: the
-- series to use for its country and factor.
with

at_cutoff as (
    select
        all_series.*,
        statistics.* exclude (series_no),
        coalesce(learned.budget_days, all_series.default_budget_days) as budget_days,
        coalesce(all_series.ceased_at <= knowledge_cutoff(), false) as is_ceased,
    from derived.all_series
    inner join derived.series_statistics as statistics using (series_no)
    left join published.cadence_budgets as learned on learned.series_no = all_series.series_no and learned.known_to is null
),

judged as (
    select *, freshness_status(latest_period_end, budget_days, is_ceased, knowledge_cutoff()) as freshness_status
    from at_cutoff
),

gated as (
    select
        *,
        list_filter(
            [
                if(is_derived, if(are_inputs_eligible and coalesce(inputs_ceased_at > knowledge_cutoff(), true), null, 'input_ineligible'),
                    if(source_tier in ('central_bank', 'official_national', 'official_supranational', 'market_data'), null, 'tier')),
                if(source_tier = 'multilateral_fallback' and frequency = 'annual', 'fallback_only', null),
                if(is_ceased, 'ceased', null),
                if(unit is distinct from factor_unit, 'unit', null),
                if(comparison_basis is distinct from factor_comparison_basis, 'comparison_basis', null),
                if(freshness_status = 'stale', 'stale', null),
                if(latest_period_end is null, 'no_value', null)
            ],
            lambda reason: reason is not null
        ) as ineligible_reasons,
    from judged
)

select
    *,
    len(ineligible_reasons) = 0 as is_scoring_eligible,
    len(ineligible_reasons) = 0 and country is not null and row_number() over (
        partition by country, factor_key
        order by
            len(ineligible_reasons) > 0,
            source_rank nulls last,
            list_position(
                if(is_monetary, ['central_bank', 'official_national'], ['official_national', 'central_bank'])
                || ['official_supranational', 'market_data', 'service_derived', 'multilateral_fallback', 'news', 'other'],
                source_tier
            ),
            not is_seasonal_adjustment_match,
            latest_observed_at desc,
            source_id,
            indicator_id
    ) = 1 as is_preferred,
from gated
order by series_no
