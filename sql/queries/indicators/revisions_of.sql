-- The size of revisions of first prints of the given series and their release lag, as of the cutoff:
-- published.series_revisions of that time.
with

known as (
    select
        vintages.*,
        date_diff('day', period_end, (coalesce(released_at, observed_at) at time zone 'UTC')::date) as lag_days,
        is_in_force(observed_at, known_to, $as_of::timestamptz) as is_held,
    from published.vintages
    where
        vintages.series_no between list_min($series_nos::integer[]) and list_max($series_nos::integer[])
        and vintages.series_no in (select unnest($series_nos::integer[]))
        and ($as_of::timestamptz is null or vintages.observed_at <= $as_of::timestamptz)
        and ($period_from::date is null or vintages.period_end >= $period_from::date)
),

firsts as (
    select *
    from known
    where release_no = 1 and not is_backfill and value is not null
),

compared as (
    select
        firsts.series_no,
        firsts.period_end,
        firsts.lag_days,
        abs(newest.value - firsts.value) as abs_revision,
        (newest.value is distinct from firsts.value) as is_revised,
        newest.value is not null as has_value,
    from firsts
    inner join known as newest
        on newest.series_no = firsts.series_no
        and newest.period_end = firsts.period_end
        and newest.period = firsts.period
        and newest.is_held
)

select
    series_no,
    list_avg(list(abs_revision order by period_end) filter (where abs_revision is not null)) as mean_abs_revision,
    count(*) filter (where is_revised and has_value) / nullif(count(*) filter (where has_value), 0) as revised_share,
    median(lag_days) as median_release_lag_days,
from compared
group by all
