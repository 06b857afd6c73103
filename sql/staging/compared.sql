-- Every placed row with the value in force just before it, and the rule that refuses it because of that value.
-- is_change: it has new information; a round of projections always does. Grain: payload_no, row_no.
with

contested as (
    select distinct series_ix, period_end, observed_at
    from staged.placed
    where is_contested
),

-- Of several statements for one instant, that of the payload that reaches furthest counts. The others agree with it or
-- are refused.
settled as not materialized (
    select
        *,
        row_number() over (
            partition by series_ix, period_end, observed_at
            order by value is distinct from settled_value, payload_no, row_no
        ) = 1 as is_settled,
    from (
        select
            placed.*,
            last_value(value) over (
                partition by series_ix, period_end, observed_at
                order by newest_period_end nulls first, payload_no, row_no
                rows between unbounded preceding and unbounded following
            ) as settled_value,
        from staged.placed
        semi join contested using (series_ix, period_end, observed_at)
    )
    union all by name
    select placed.*, placed.value as settled_value, true as is_settled
    from staged.placed
    anti join contested using (series_ix, period_end, observed_at)
),

-- How far the series reached by the time of a retrieval.
reach as (
    select
        series_ix,
        retrieved_at,
        max(max(period_end)) over (partition by series_ix order by retrieved_at) as newest_period_end,
    from (
        select series_ix, period_end, retrieved_at from staged.known_reach
        union all
        select series_ix, if(value is null, null, period_end), retrieved_at from staged.placed
    )
    group by series_ix, retrieved_at
),

timeline as (
    select series_ix, period_end, observed_at, value, true as is_new, payload_no, row_no
    from settled
    where is_settled
    union all
    select series_ix, period_end, observed_at, value, false, null, null
    from staged.known
),

in_force as (
    select
        *,
        lag(value) over instants as prior_value,
        lag(true, 1, false) over instants as has_prior,
        lag(observed_at) over instants as prior_observed_at,
        lag(is_new, 1, false) over instants as is_prior_new,
    from timeline
    window instants as (partition by series_ix, period_end order by observed_at, is_new)
),

numbered_series as (
    select distinct on (series_ix) series_ix, resolved_unit, is_projection(resolved_canonical_id) as is_projection
    from staged.series
    order by series_ix, stated_ix
),

compared as (
    select
        settled.*,
        series.resolved_unit,
        series.is_projection,
        in_force.prior_value,
        coalesce(in_force.has_prior, false) as has_prior,
        in_force.prior_observed_at,
        (
            settled.is_settled
            and (settled.value is not null or in_force.has_prior)
            and (
                settled.value is distinct from in_force.prior_value
                or (series.is_projection and settled.value is not null and settled.observed_at > in_force.prior_observed_at)
            )
        ) as differs,
        reach.newest_period_end as series_newest_period_end,
    from settled
    inner join numbered_series as series using (series_ix)
    left join in_force using (payload_no, row_no)
    left join reach on reach.series_ix = settled.series_ix and reach.retrieved_at = settled.retrieved_at
)

select
    compared.* exclude (is_contested, settled_value, is_settled, differs, resolved_unit, is_projection),
    case
        when not is_settled and (value is distinct from settled_value) and newest_period_end < series_newest_period_end then 'period_regression'
        when not is_settled and (value is distinct from settled_value) then 'duplicate_conflict'
        when differs and is_undated and has_prior and newest_period_end < series_newest_period_end then 'period_regression'
        when differs and has_prior and prior_observed_at = observed_at then 'duplicate_conflict'
    end as refusal,
    differs as is_change,
    case
        -- Projections of growth pass through zero, and change by any factor between rounds.
        when is_projection then null
        when not differs or prior_value is null or value is null or prior_value = 0 or value = 0 then null
        when sign(value) = sign(prior_value) and (abs(value / prior_value) >= 10 or abs(value / prior_value) <= 0.1) then 'scale_jump'
        when sign(value) != sign(prior_value) and resolved_unit in ('index', 'thousands', 'persons', 'contracts', 'usd') then 'sign_flip'
    end as warning,
from compared
