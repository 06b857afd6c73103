-- The series that the service shows, with their order of preference (src/model/trust.ts) and the countries of companies
-- through time. Series computed from licensed values are left out. Grain: series.
create or replace macro shown_series() as table
    with

    described as (
        select entity_id, nullif(descriptions, []) as descriptions
        from published.companies
        union all
        select listed.entity_id, nullif(companies.descriptions, [])
        from (
            select entity_id, parent_entity_id from published.entities
            where entity_type = 'instrument'
        ) as listed
        inner join (select entity_id, descriptions from published.companies) as companies on companies.entity_id = listed.parent_entity_id
    )

    select
        series.*,
        described.descriptions,
        rank() over (
            order by
                coalesce(source_rank, 2147483647),
                list_position(
                    if(
                        is_monetary,
                        ['central_bank', 'official_national'],
                        ['official_national', 'central_bank']
                    )
                    || ['official_supranational', 'market_data', 'service_derived', 'multilateral_fallback', 'news', 'other'],
                    source_tier
                ),
                not coalesce(is_seasonal_adjustment_match, false)
        ) as preference,
        len(
            scoring_reasons(
                canonical_id,
                source_tier,
                frequency,
                unit,
                factor_unit,
                comparison_basis,
                factor_comparison_basis,
                coalesce(are_inputs_eligible, false)
            )
        ) = 0 as may_be_scored,
    from published.series
    left join described using (entity_id)
    where series.is_redistributable or not series.is_derived
