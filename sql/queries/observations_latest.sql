-- The newest period with a value of each of the given series, under the same filters as observations_list, with the period before it: as
-- known just before this vintage (previous) and at it (revised_previous, null if unchanged), unless that is
-- older than what may be seen (history_from). Grain: series.
with

filtered as (
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
        and ($release_number::integer is null or release_no = $release_number::integer)
        and value is not null
        and case $vintage::varchar
            when 'latest' then known_to is null or known_to > least($as_of::timestamptz, $observed_to::timestamptz)
            when 'first' then prior_observed_at is null or prior_observed_at < $observed_from::timestamptz
            else true
        end
),

newest as (
    select *
    from filtered
    qualify row_number() over (partition by series_no order by period_end desc, observed_at desc) = 1
),

before as (
    select
        newest.series_no,
        max(earlier.period_end) as period_end,
    from newest
    inner join published.vintages as earlier
        on earlier.series_no = newest.series_no
        and earlier.period_end < newest.period_end
        and earlier.observed_at <= newest.observed_at
        and earlier.value is not null
        and ($history_from::date is null or earlier.period_end >= $history_from::date)
    group by all
),

previous as (
    select
        newest.series_no,
        max(earlier.value) filter (where earlier.observed_at < newest.observed_at and coalesce(earlier.known_to >= newest.observed_at, true)) as value_before,
        max(earlier.value) filter (where coalesce(earlier.known_to > newest.observed_at, true)) as value_after,
    from newest
    inner join before using (series_no)
    inner join published.vintages as earlier
        on earlier.series_no = before.series_no
        and earlier.period_end = before.period_end
        and earlier.observed_at <= newest.observed_at
    group by all
)

select
    newest.series_no,
    newest.period,
    newest.period_end,
    newest.value,
    newest.vintage,
    newest.observed_at,
    newest.released_at,
    newest.retrieved_at,
    newest.is_revised,
    newest.release_no,
    newest.id_hash,
    newest.run_id,
    newest.derived_from,
    coalesce(previous.value_before, previous.value_after) as previous,
    if(previous.value_before is distinct from previous.value_after and previous.value_before is not null, previous.value_after, null) as revised_previous,
from newest
left join previous using (series_no)
