-- The sound rows at the instant at which each became known. Two statements for one instant that differ cannot both have been known
-- then: the first keeps the instant, the other is knowledge of its retrieval; so is a return of the same file to what it said first.
-- Grain: payload_no, row_no.
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
        lag(judged.value) over same_file as value_before,
        lag(true, 1, false) over same_file as has_value_before,
    from staged.judged
    left join newest_stated using (payload_no, series_ix)
    anti join staged.held using (payload_no, series_ix)
    where judged.rule is null
    window same_file as (
        partition by judged.series_ix, judged.period_end, judged.observed_at, judged.key
        order by judged.retrieved_at, judged.payload_no, judged.row_no
    ),
    same_instant as (
        partition by judged.series_ix, judged.period_end, judged.observed_at
        order by newest_stated.newest_period_end nulls first, judged.payload_no, judged.row_no
    )
),

-- What a later content of a file said of an instant at which another value was known stands at its own retrieval.
replacements as (
    select
        ordered.payload_no,
        ordered.row_no,
        arg_max(later.value, later.observed_at) as value,
        arg_max(later.value is null, later.observed_at) as is_missing,
        arg_max(later.observed_at = later.retrieved_at and later.key is not distinct from ordered.key, later.observed_at) as is_of_file,
    from ordered
    inner join staged.known as stated
        on stated.series_ix = ordered.series_ix
        and stated.period_end = ordered.period_end
        and stated.observed_at = ordered.observed_at
        and stated.retrieved_at < ordered.retrieved_at
    inner join staged.known as later
        on later.series_ix = ordered.series_ix
        and later.period_end = ordered.period_end
        and later.observed_at > ordered.observed_at
        and later.observed_at <= ordered.retrieved_at
    where not ordered.has_value_before
    group by all
)

select
    ordered.* exclude (first_value_of_instant, observed_at, value_before, has_value_before, key),
    ordered.observed_at >= ordered.retrieved_at as is_undated,
    if(
        ordered.value is distinct from ordered.first_value_of_instant
        or (known.observed_at is not null and known.value is distinct from ordered.value)
        or (ordered.has_value_before and ordered.value is distinct from ordered.value_before)
        or (replacements.is_of_file and ordered.value is distinct from if(replacements.is_missing, null, replacements.value)),
        greatest(ordered.observed_at, ordered.retrieved_at),
        ordered.observed_at
    ) as observed_at,
from ordered
left join staged.known
    on known.series_ix = ordered.series_ix
    and known.period_end = ordered.period_end
    and known.observed_at = ordered.observed_at
left join replacements
    on replacements.payload_no = ordered.payload_no
    and replacements.row_no = ordered.row_no
