-- Amounts that no filing states but that follow from stated ones: quarters from longer periods, and trailing twelve
-- months. One row per cik, statement_type, key, period_type, period_start, period_end, derivation and set of inputs
-- that held together; known from the latest of them.
-- ttm_roll: year + year to date − year to date a year ago. At a year's end `none`: the year itself.
-- subtracted_quarters gives the quarters; fy_minus_3q applies if the nine months are not known.
-- rolled: the year, the year to date and that of a year ago, each with the amount that comparatives added to it;
-- amounts per share in the shares of newest_basis. For shares and amounts per share there is only the year itself, and
-- twelve months of diluted earnings, each input restated for splits since its filing.
-- Inputs have one unit and one concept; revenue and its cost are the same total under each of their concepts. Rolled
-- amounts are checked, see trailing_reconciliations.
with

figures as (
    select * from filings.scoped_values
    where is_in_part(cik) and not is_repeat and not is_whole_only
),

years as (
    select cik, statement_type, key, 'ttm' as period_type, period_start, period_end, 'none' as derivation, value, [figures] as inputs
    from figures
    where span = 'year'
),

rolls as (
    select
        year.cik,
        year.statement_type,
        year.key,
        'ttm' as period_type,
        before.period_end + 1 as period_start,
        now.period_end,
        'ttm_roll' as derivation,
        if(
            year.kind = 'money',
            year.value + now.value - before.value,
            -- Rounds off the noise of binary fractions: 7.46 + 2.84 - 2.4 is 7.9.
            round(
                (year.value * year.share_basis + now.value * now.share_basis - before.value * before.share_basis)
                / list_sort(list_transform([year, now, before], lambda input: { filed: input.filed, basis: input.share_basis }))[-1].basis,
                10
            )
        ) as value,
        [year, now, before] as inputs,
    from figures as year
    inner join figures as before using (cik, statement_type, key, period_start, unit, family)
    anti join filings.rescoping_filings
        on (rescoping_filings.cik, rescoping_filings.statement_type, rescoping_filings.key, rescoping_filings.accession_number)
        = (year.cik, year.statement_type, year.key, year.accession_number)
        and before.scope = year.scope
        and before.observed_at < year.observed_at
    inner join figures as now
        on (now.cik, now.statement_type, now.key, now.unit, now.family, now.span)
        = (year.cik, year.statement_type, year.key, year.unit, year.family, before.span)
        and now.period_start = year.period_end + 1
    where
        year.span = 'year'
        and (year.kind = 'money' or year.key = 'epsDiluted')
        and before.span != 'year'
        -- A year of 53 weeks shifts the same quarter by one week.
        and abs((now.period_end - now.period_start) - (before.period_end - before.period_start)) <= 10
),

derived as (
    select
        *,
        list_max(list_transform(inputs, lambda input: input.observed_at)) as observed_at,
        list_min(list_transform(inputs, lambda input: input.known_to)) as known_to,
    from (
        from filings.subtracted_quarters
        union all
        from years
        union all
        from rolls
    )
    where observed_at < known_to
    -- If its inputs share several scopes, the one known first.
    qualify row_number() over (
        partition by
            cik, statement_type, key, period_type, period_start, period_end, derivation,
            list_transform(inputs, lambda input: input.changed_at)
        order by observed_at, inputs[1].scope
    ) = 1
)

select
    cik,
    statement_type,
    key,
    period_type,
    period_start,
    period_end,
    derivation,
    value,
    observed_at,
    known_to,
    list_sort(list_transform(inputs, lambda input: { observed_at: input.observed_at, accession_number: input.accession_number, fact: input }))[
        -1
    ].fact as newest,
    inputs[1].label as label,
    inputs[1].concept as concept,
    inputs[1].unit as unit,
    list_transform(inputs, lambda input: input.fact_ref) as fact_refs,
    if(
        inputs[1].kind != 'money',
        list_sort(list_transform(inputs, lambda input: { filed: input.filed, basis: input.share_basis }))[-1].basis,
        null
    ) as newest_basis,
    if(
        derivation = 'ttm_roll',
        list_transform(
            inputs,
            lambda input: {
                value: input.value * if(input.kind = 'per_share', input.share_basis / newest_basis, 1),
                recast_by: input.recast_by * if(input.kind = 'per_share', input.share_basis / newest_basis, 1)
            }
        ),
        null
    ) as rolled,
from derived
where
    derivation != 'fy_minus_3q'
    or not exists (
        from derived as nearer
        where
            (nearer.cik, nearer.statement_type, nearer.key, nearer.period_end, nearer.derivation)
            = (derived.cik, derived.statement_type, derived.key, derived.period_end, 'fy_minus_9m')
            and nearer.observed_at <= derived.observed_at
    )
