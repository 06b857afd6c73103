-- The vintages of the given derived series that the filters leave: the newest known of each period, its first, or all. Grain: vintage.
with

known as (
    select *
    from published.vintages
    where
        inputs is not null
        and series_no between $series_from::integer and $series_to::integer
        and ($series_nos::integer[] is null or series_no in (select unnest($series_nos::integer[])))
        and ($as_of::timestamptz is null or observed_at <= $as_of::timestamptz)
        and ($observed_to::timestamptz is null or observed_at <= $observed_to::timestamptz)
        and ($observed_from::timestamptz is null or observed_at >= $observed_from::timestamptz)
        and ($period_from::date is null or period_end >= $period_from::date)
        and ($period_to::date is null or period_end <= $period_to::date)
)

select
    series_no,
    period,
    period_start,
    period_end,
    value,
    value_text,
    metadata,
    vintage,
    observed_at,
    released_at,
    ingested_at,
    release_no,
    id_hash,
    inputs,
    derived_from,
from known
where
    case $vintage::varchar
        when 'latest' then known_to is null or known_to > least($as_of::timestamptz, $observed_to::timestamptz)
        when 'first' then prior_observed_at is null or prior_observed_at < $observed_from::timestamptz
        else true
    end
