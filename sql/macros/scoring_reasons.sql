-- What bars every row of a series from being scored at any time, as a list of reasons, empty where nothing does
-- (docs/reference/methods.md#scoring-and-the-preferred-row). What the service derives is held to the eligibility
-- of its inputs instead of to its tier.
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
