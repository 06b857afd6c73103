-- One row per series: the size of revisions of its first prints, and their release lag. Periods without a first print
-- (backfills) do not count. Null if none counts. Built in parts, because the comparison of all series at once does not
-- fit in memory.
with

firsts as (
    select
        series_no,
        period_end,
        period,
        value as first_value,
        date_diff('day', period_end, (coalesce(released_at, observed_at) at time zone 'UTC')::date) as lag_days,
    from published.vintages
    where is_series_in_part(series_no) and release_no = 1 and not is_backfill and value is not null
),

compared as (
    select
        firsts.series_no,
        firsts.period_end,
        firsts.lag_days,
        abs(newest.value - firsts.first_value) as abs_revision,
        (newest.value is distinct from firsts.first_value) as is_revised,
        newest.value is not null as has_value,
    from firsts
    inner join published.vintages as newest
        on newest.series_no = firsts.series_no
        and newest.period_end = firsts.period_end
        and newest.period = firsts.period
        and newest.known_to is null
    where is_series_in_part(newest.series_no)
),

summed as (
    select
        series_no,
        -- Summed in a fixed order, so that the same lake gives the same bytes.
        list_avg(list(abs_revision order by period_end) filter (where abs_revision is not null)) as mean_abs_revision,
        count(*) filter (where is_revised and has_value) / nullif(count(*) filter (where has_value), 0) as revised_share,
        median(lag_days) as median_release_lag_days,
    from compared
    group by all
)

select
    series.series_no,
    summed.mean_abs_revision,
    summed.revised_share,
    summed.median_release_lag_days,
from published.series
left join summed using (series_no)
where is_series_in_part(series.series_no)
order by series.series_no
