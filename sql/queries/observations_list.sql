-- The vintages of the given series that the filters leave, newest known, first, n-th or all per period. Grain: vintage. The columns are
-- narrow: what a series' rows have in common is added from the catalogue. `series_from` and `series_to` bound `series_nos` for the zone maps.
with

known as (
    select *
    from published.vintages
    where
        series_no between $series_from::integer and $series_to::integer
        and ($series_nos::integer[] is null or series_no in (select unnest($series_nos::integer[])))
        and ($as_of::timestamptz is null or observed_at <= $as_of::timestamptz)
        and ($observed_to::timestamptz is null or observed_at <= $observed_to::timestamptz)
        and ($observed_from::timestamptz is null or observed_at >= $observed_from::timestamptz)
        and ($period_from::date is null or period_end >= $period_from::date)
        and ($period_to::date is null or period_end <= $period_to::date)
        and (not $numeric_only::boolean or value is not null)
        and ($release_number::integer is null or release_no = $release_number::integer)
),

filtered as (
    select *
    from known
    where
        case $vintage::varchar
            when 'latest' then
                known_to is null
                or known_to > least($as_of::timestamptz, $observed_to::timestamptz)
            when 'first' then
                prior_observed_at is null
                or prior_observed_at < $observed_from::timestamptz
            else true
        end
)

select
    series_no,
    period,
    period_end,
    value,
    vintage,
    observed_at,
    released_at,
    retrieved_at,
    is_revised,
    release_no,
    id_hash,
    run_id,
    derived_from,
from filtered
