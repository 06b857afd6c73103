-- One row per release of a series: a period that became known alone and is later than every period before. These are no
-- releases: periods that an archive or a first download brings together, projections, pseudo vintages and values
-- computed from them, and values dated by a publication rule, because the rule does not tell when the publisher's file
-- has them. lag_ms: from the end of the period. gap_days: from the end of the furthest period before, null for the
-- first.
with

stated as (
    select
        series_no,
        period_end,
        observed_at,
        starts_with(vintage, 'pseudo:')
        or coalesce(list_bool_or(list_transform(inputs, lambda input: starts_with(input.vintage, 'pseudo:'))), false)
        or (ruled.series_no is not null and observed_at < retrieved_at) as is_supposed,
    from derived.all_vintages
    left join derived.ruled_series as ruled using (series_no)
    where
        value is not null
        and series_no not in (
            select series_no from derived.all_series
            where is_projection(canonical_id)
        )
),

first_prints as (
    select series_no, period_end, min(observed_at) as observed_at, arg_min(is_supposed, observed_at) as is_supposed
    from stated
    group by all
),

instants as (
    select series_no, observed_at, count(*) as periods, max(period_end) as period_end, bool_or(is_supposed) as is_supposed
    from first_prints
    group by all
),

advances as (
    select
        *,
        max(period_end) over (partition by series_no order by observed_at rows between unbounded preceding and 1 preceding) as reach,
    from instants
)

select
    series_no,
    observed_at,
    epoch_ms(observed_at) - epoch_ms((period_end + 1)::timestamp at time zone 'UTC') as lag_ms,
    date_diff('day', reach, period_end) as gap_days,
from advances
where periods = 1 and not is_supposed and (reach is null or period_end > reach)
