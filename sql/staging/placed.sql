-- The accepted rows with the time at which each became known. Two different statements for one instant cannot both have
-- been known then. The first keeps the instant; the other is known from its retrieval. The same applies if a file
-- returns to its first statement. Grain: payload_no, row_no.
with

newest_stated as (
    select payload_no, series_ix, max(period_end) as newest_period_end
    from staged.judged
    where rule is null and value is not null
    group by all
),

sound as not materialized (
    select judged.*, newest_stated.newest_period_end
    from staged.judged
    left join newest_stated using (payload_no, series_ix)
    anti join staged.held using (payload_no, series_ix)
    where judged.rule is null
),

ordered as not materialized (
    select
        sound.*,
        first_value(sound.value) over same_instant as first_value_of_instant,
        lag(sound.value) over same_file as value_before,
        lag(true, 1, false) over same_file as has_value_before,
    from sound
    where is_contested
    window
        same_file as (
            partition by sound.series_ix, sound.period_end, sound.observed_at, sound.key
            order by sound.retrieved_at, sound.payload_no, sound.row_no
        ),
        same_instant as (
            partition by sound.series_ix, sound.period_end, sound.observed_at
            order by sound.newest_period_end nulls first, sound.payload_no, sound.row_no
        )
    union all by name
    select sound.*, sound.value as first_value_of_instant, null::double as value_before, false as has_value_before
    from sound
    where not is_contested
),

-- A later content of a file may state another value for an instant with a known value. That value is known from its own
-- retrieval.
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
),

moments as (
    select
        ordered.* exclude (first_value_of_instant, value_before, has_value_before, key),
        ordered.observed_at >= ordered.retrieved_at as is_undated,
        (
            ordered.value is distinct from ordered.first_value_of_instant
            or (known.observed_at is not null and known.value is distinct from ordered.value)
            or (ordered.has_value_before and ordered.value is distinct from ordered.value_before)
            or (replacements.is_of_file and ordered.value is distinct from if(replacements.is_missing, null, replacements.value))
        ) as is_of_retrieval,
    from ordered
    left join staged.known
        on known.series_ix = ordered.series_ix
        and known.period_end = ordered.period_end
        and known.observed_at = ordered.observed_at
    left join replacements
        on replacements.payload_no = ordered.payload_no
        and replacements.row_no = ordered.row_no
)

-- is_contested: other statements may have the same instant.
select
    moments.* exclude (is_of_retrieval) replace (
        if(is_of_retrieval, greatest(observed_at, retrieved_at), observed_at) as observed_at,
        is_contested or coalesce(is_of_retrieval, false) as is_contested,
        -- A correction of a ruled value has no date of its own.
        is_undated or coalesce(is_ruled and is_of_retrieval, false) as is_undated
    )
from moments
