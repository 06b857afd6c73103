-- The trailing multiples of every valuation, as in reference.derived_indicators: one amount over another. Grain: slug x
-- entity x period x observed_at. A null value has one of these reasons:
-- insufficient_data: a part is missing.
-- not_meaningful: the denominator of a ratio is not positive.
-- stale_fundamentals: the newest figures are older than 185 days.
-- share_count_uncertain: the witnesses of the share count contradict each other.
-- no_exchange_rate: statements are in another currency and no rate is known.
-- unlisted_split: price, shares and earnings per share may lie on different sides of an unlisted split.
-- unit_of_quote_unknown: the unit of the price is not known, and the market value cannot be true.
-- not_applicable: the multiple is not meaningful for banks and insurers.
-- A part that contradicts itself counts as missing, with the reason in metadata.
with

catalogue as (
    select slug, string_split(input, ';')[1] as over_name, string_split(input, ';')[2] as under_name
    from reference.derived_indicators
    where family = 'valuation'
),

listed as (
    select
        given.* exclude (amounts, parts_of),
        catalogue.*,
        if(map_contains(amounts, over_name), amounts[over_name], error(slug || ' is of an unknown amount: ' || over_name)) as "over",
        if(map_contains(amounts, under_name), amounts[under_name], error(slug || ' is of an unknown amount: ' || under_name)) as under,
        if(map_contains(parts_of, over_name), parts_of[over_name], error(slug || ' is of an amount without its parts: ' || over_name))
        || if(map_contains(parts_of, under_name), parts_of[under_name], error(slug || ' is of an amount without its parts: ' || under_name))
            as parts,
        -- Enterprise value, sales and cash flows are not meaningful for banks and insurers.
        len(list_intersect([over_name, under_name], ['enterprise_value', 'revenue', 'operating_cash_flow', 'free_cash_flow'])) > 0 as spares_banks,
        under_name = 'earnings_growth' as is_of_growth,
        'earnings_per_share' in (over_name, under_name) and not is_without_eps as is_of_eps,
    from valuations.multiple_amounts as given
    cross join catalogue
),

parted as (
    select
        * exclude (parts),
        if(
            list_contains(parts, 'earnings'),
            ['net_income_to_common', 'net_income', 'preferred_dividends', 'profit_loss', 'noncontrolling_share'],
            parts
        )
        || if(list_contains(parts, 'ebit'), ['operating_income', 'pretax_income', 'interest_expense'], [])
        || if(list_contains(
            parts, 'net_debt'
        ),
        [
            'noncurrent_debt', 'current_debt', 'current_part_of_debt', 'short_term_borrowings', 'commercial_paper', 'long_term_debt',
            'noncurrent_debt_and_leases',
            'finance_leases_noncurrent',
            'finance_leases_current',
            'preferred',
            'noncontrolling',
            'cash',
            'short_term_investments'
        ], []) as parts,
    from listed
),

judged as (
    select
        *,
        case
            when is_of_growth then growth_in_doubt
            when is_of_eps then eps_in_doubt
            else unlisted_split
        end as split,
        case
            when is_financial and spares_banks then 'not_applicable'
            when exchange_rate is null then 'no_exchange_rate'
            when is_stale then 'stale_fundamentals'
            when split is not null then 'unlisted_split'
            when is_unit_unknown then 'unit_of_quote_unknown'
            when is_of_growth and (eps <= 0 or eps_year_ago <= 0) then 'not_meaningful'
            when is_share_count_uncertain and not (is_of_eps or is_of_growth) then 'share_count_uncertain'
            when "over" is null or under is null then 'insufficient_data'
            when under <= 0 or (over_name = 'enterprise_value' and "over" <= 0) or (is_of_growth and under < 1) then 'not_meaningful'
        end as reason,
        coalesce(reason not in ('unlisted_split', 'unit_of_quote_unknown'), true) as is_known,
        flatten(list_transform(parts, lambda part: coalesce(refs[part], [])))
        || if(is_of_growth, coalesce(year_ago_refs['eps_diluted'], []), [])
        || if(is_of_eps or is_of_growth, [], [shares_ref]) as facts,
        if(
            cardinality(contradictions) = 0,
            [],
            list_filter(
                map_entries(contradictions),
                lambda entry: list_contains(parts || if(is_of_growth, ['eps_diluted_year_ago'], []), entry.key)
            )
        ) as contradicted,
    from parted
)

select
    slug,
    source_id,
    entity_id,
    period,
    period_start,
    period_end,
    if(reason is null, "over" / under, null) as value,
    reason,
    json_object(
        'price', close,
        'shares', shares,
        'shareWitnesses', share_witnesses,
        'quotedTicker', ticker,
        'sharesPerQuotedUnit', if(shares_a_unit = 1, null, shares_a_unit),
        'sharesAsOf', shares_date,
        'publicFloat', public_float,
        'publicFloatDate', float_date,
        'marketCap', if(is_known, market_cap, null),
        'enterpriseValue', if(is_known and over_name = 'enterprise_value', enterprise_value, null),
        'numerator', if(is_known, "over", null),
        'denominator', if(is_known, under, null),
        'statementCurrency', currency,
        'exchangeRate', if(currency = 'USD', null, exchange_rate),
        'exchangeRateDate', exchange_rate_date,
        'windowEnd', window_end,
        'balanceDate', balance_date,
        'growthBasis', if(is_of_growth, 'ttm_eps_yoy', null),
        'reason', reason,
        'contradictions', if(reason = 'insufficient_data' and len(contradicted) > 0, to_json(map_from_entries(contradicted)), null),
        'unlistedSplit',
        if(
            reason is distinct from 'unlisted_split',
            null,
            { kind: split.kind, ratio: split.share_ratio, after: split.not_before, "by": split.by_date, evidence: split.evidence }
        ),
        'facts', list_sort(list_filter(list_distinct(facts), lambda ref: ref is not null))
    )::varchar as metadata,
    observed_at,
    released_at,
    retrieved_at,
    ingested_at,
    change_sequence,
    input_series_no,
    inputs,
    input_run_ids,
    source_run_id,
    run_id,
from judged
