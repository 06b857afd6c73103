-- The sound rows at the instant at which each became known. Two statements for one instant that differ cannot both have been known
-- then: the first keeps the instant, the other is knowledge of its retrieval. Grain: payload_no, row_no.
with

newest_stated as (
    select payload_no, series_ix, max(period_end) as newest_period_end
    from staged.judged
    where rule is null and value is not null
    group by all
),

ordered as (
    select
        judged.*,
        newest_stated.newest_period_end,
        first_value(judged.value) over same_instant as first_value_of_instant,
    from staged.judged
    left join newest_stated using (payload_no, series_ix)
    where judged.rule is null
    window same_instant as (
        partition by judged.series_ix, judged.period_end, judged.observed_at
        order by newest_stated.newest_period_end nulls first, judged.payload_no, judged.row_no
    )
)

select
    ordered.* exclude (first_value_of_instant, observed_at),
    ordered.observed_at >= ordered.retrieved_at as is_undated,
    if(
        ordered.value is distinct from ordered.first_value_of_instant
        or (known.observed_at is not null and known.value is distinct from ordered.value),
        greatest(ordered.observed_at, ordered.retrieved_at),
        ordered.observed_at
    ) as observed_at,
from ordered
left join staged.known
    on known.series_ix = ordered.series_ix
    and known.period_end = ordered.period_end
    and known.observed_at = ordered.observed_at
