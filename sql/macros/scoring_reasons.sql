-- The reasons why no row of a series may be scored at any time; empty if there are none
-- (docs/reference/methods.md#scoring-and-the-preferred-row). For derived series, the eligibility of their inputs counts
-- instead of the tier.
create or replace macro scoring_reasons(
    canonical_id, tier, frequency, unit, factor_unit, comparison_basis, factor_comparison_basis, are_inputs_eligible
) as list_filter(
    [
        if(is_projection(canonical_id), 'projection', null),
        if(if(tier = 'service_derived', are_inputs_eligible, is_scoring_tier(tier)), null, if(tier = 'service_derived', 'input_ineligible', 'tier')),
        if(tier = 'multilateral_fallback' and frequency = 'annual', 'fallback_only', null),
        if(unit = factor_unit, null, 'unit'),
        if(comparison_basis = factor_comparison_basis, null, 'comparison_basis')
    ],
    lambda reason: reason is not null
)
