-- Amounts that no filing states but that follow from what filings state: quarters from longer periods, and trailing twelve months. One row per cik,
-- statement_type, key, period_type, period_start, period_end, derivation and set of inputs that held together; known from the latest of them.
--   fy_minus_9m      fourth quarter = year − nine months
--   fy_minus_3q      fourth quarter = year − three quarters that follow each other, where the nine months are not known
--   ytd_difference   second quarter = half − first quarter, third = nine months − half
--   ttm_roll         year + year to date − year to date a year ago; of a year's end `none`: the year itself
-- rolled: the year, the year to date and that of a year ago, each with what comparatives added to it, amounts a share in the shares of newest_basis.
-- Of shares and amounts a share only the year itself is told, and twelve months of diluted earnings, each input restated for splits since its filing.
-- Inputs are stated in one unit and by one concept; revenue and its cost are the same total under each of their concepts. A figure that comparatives
-- recast is only subtracted from one that was recast as late: between the two scopes lies no quarter. A figure that was first known as a comparative, as those of
-- a filer's first year are, goes with one that filings as late said again, and one of a longer period also with a part that they left as it was. What is
-- rolled is checked, see trailing_reconciliations.
with

figures as (
    select
        *,
        if(key in ('revenue', 'costOfRevenue'), key, concept) as family,
        observed_at as changed_at,
        recast > 0 and recast = min(recast) over (partition by cik, statement_type, key, period_start, period_end order by observed_at) as is_comparative_first,
    from filings.statement_values
),

amounts as (select * from figures where kind = 'money'),

-- Each amount by the years after it in which filings stated it, known in that scope from the first that did.
scoped as (
    select * exclude (repeats), recast as scope, false as is_repeat
    from amounts
    union all by name
    select
        amounts.* exclude (repeats, observed_at, accession_number, form, filed, accepted_at, fact_ref, payload_id, run_id, ingested_at),
        said.recast as scope,
        true as is_repeat,
        said.observed_at as observed_at,
        said.accession_number as accession_number,
        said.form as form,
        said.filed as filed,
        said.accepted_at as accepted_at,
        said.fact_ref as fact_ref,
        said.payload_id as payload_id,
        said.run_id as run_id,
        said.ingested_at as ingested_at,
    from amounts, unnest(repeats) as again (said)
),

wholes as (
    from scoped
    union all by name
    select * exclude (repeats), 0 as scope, false as is_repeat
    from amounts
    where is_comparative_first
),

pairs as (
    select
        whole.cik, whole.statement_type, whole.key, 'quarterly' as period_type,
        part.period_end + 1 as period_start,
        whole.period_end,
        if(whole.span = 'year', 'fy_minus_9m', 'ytd_difference') as derivation,
        whole.value - part.value as value,
        [whole, part] as inputs,
    from wholes as whole
    inner join scoped as part
        using (cik, statement_type, key, period_start, unit, family, scope)
    where
        (whole.span, part.span) in (('year', 'nine_months'), ('nine_months', 'half'), ('half', 'quarter'))
        and whole.period_end - part.period_end between 71 and 121
        and (whole.is_comparative_first or part.is_comparative_first or not (whole.is_repeat or part.is_repeat))
),

thirds as (
    select
        whole.cik, whole.statement_type, whole.key, 'quarterly' as period_type,
        third.period_end + 1 as period_start,
        whole.period_end,
        'fy_minus_3q' as derivation,
        whole.value - first.value - second.value - third.value as value,
        [whole, first, second, third] as inputs,
    from wholes as whole
    inner join scoped as first using (cik, statement_type, key, period_start, unit, family, scope)
    inner join scoped as second
        on (second.cik, second.statement_type, second.key, second.unit, second.family, second.scope)
            = (whole.cik, whole.statement_type, whole.key, whole.unit, whole.family, whole.scope)
        and second.period_start = first.period_end + 1
    inner join scoped as third
        on (third.cik, third.statement_type, third.key, third.unit, third.family, third.scope)
            = (whole.cik, whole.statement_type, whole.key, whole.unit, whole.family, whole.scope)
        and third.period_start = second.period_end + 1
    where
        whole.span = 'year'
        and first.span = 'quarter'
        and second.span = 'quarter'
        and third.span = 'quarter'
        and whole.period_end - third.period_end between 71 and 121
        and (
            whole.is_comparative_first or first.is_comparative_first or second.is_comparative_first or third.is_comparative_first
            or not (whole.is_repeat or first.is_repeat or second.is_repeat or third.is_repeat)
        )
),

rolling as (select * exclude (repeats), recast as scope, false as is_repeat from figures),

years as (
    select cik, statement_type, key, 'ttm' as period_type, period_start, period_end, 'none' as derivation, value, [figures] as inputs
    from rolling as figures
    where span = 'year'
),

rolls as (
    select
        year.cik, year.statement_type, year.key, 'ttm' as period_type,
        before.period_end + 1 as period_start,
        now.period_end,
        'ttm_roll' as derivation,
        if(
            year.kind = 'money',
            year.value + now.value - before.value,
            (year.value * year.share_basis + now.value * now.share_basis - before.value * before.share_basis)
            / list_sort([{filed: input.filed, basis: input.share_basis} for input in [year, now, before]])[-1].basis) as value,
        [year, now, before] as inputs,
    from rolling as year
    inner join rolling as before using (cik, statement_type, key, period_start, unit, family)
    inner join rolling as now
        on (now.cik, now.statement_type, now.key, now.unit, now.family, now.span) = (year.cik, year.statement_type, year.key, year.unit, year.family, before.span)
        and now.period_start = year.period_end + 1
    where
        year.span = 'year'
        and (year.kind = 'money' or year.key = 'epsDiluted')
        and before.span != 'year'
        -- A year of 53 weeks shifts the same quarter by one.
        and abs((now.period_end - now.period_start) - (before.period_end - before.period_start)) <= 10
),

derived as (
    select
        *,
        list_max(list_transform(inputs, lambda input: input.observed_at)) as observed_at,
        list_min(list_transform(inputs, lambda input: input.known_to)) as known_to,
    from (from pairs union all from thirds union all from years union all from rolls)
    where observed_at < known_to
    -- Of several scopes that its inputs share, the one known first.
    qualify row_number() over (
        partition by cik, statement_type, key, period_type, period_start, period_end, derivation, list_transform(inputs, lambda input: input.changed_at)
        order by observed_at, inputs[1].scope
    ) = 1
)

select
    cik, statement_type, key, period_type, period_start, period_end, derivation, value, observed_at, known_to,
    list_sort(list_transform(inputs, lambda input: {observed_at: input.observed_at, accession_number: input.accession_number, fact: input}))[-1].fact as newest,
    inputs[1].label as label,
    inputs[1].concept as concept,
    inputs[1].unit as unit,
    list_transform(inputs, lambda input: input.fact_ref) as fact_refs,
    if(inputs[1].kind = 'per_share', list_sort([{filed: input.filed, basis: input.share_basis} for input in inputs])[-1].basis, null) as newest_basis,
    if(
        derivation = 'ttm_roll',
        [
            {
                value: input.value * coalesce(input.share_basis / newest_basis, 1),
                recast_by: input.recast_by * coalesce(input.share_basis / newest_basis, 1)
            } for input in inputs
        ],
        null
    ) as rolled,
from derived
where
    derivation != 'fy_minus_3q'
    or not exists (
        from derived as nearer
        where (nearer.cik, nearer.statement_type, nearer.key, nearer.period_end, nearer.derivation) = (derived.cik, derived.statement_type, derived.key, derived.period_end, 'fy_minus_9m')
            and nearer.observed_at <= derived.observed_at
    )
