-- One row per series: how far its first prints were revised since, and how soon they came. A first print counts when it was the newest of what
-- became known of the series at that moment, within the default budget of the cadence after the end of its period: what else an archive or a download
-- brought in was not seen when it was new. Nulls where none counts; a pseudo vintage is never a first print. Made part by part: what is compared of
-- all series would have to stand in memory beside each other.
with

firsts as (
    select
        vintages.series_no,
        vintages.period_end,
        vintages.period,
        vintages.value as first_value,
        date_diff('day', vintages.period_end, (coalesce(vintages.released_at, vintages.observed_at) at time zone 'UTC')::date) as lag_days,
        date_diff('day', vintages.period_end, (vintages.observed_at at time zone 'UTC')::date) as known_days,
    from published.vintages
    where
        is_series_in_part(vintages.series_no)
        and vintages.release_no = 1
        and vintages.value is not null
        and vintages.vintage not like 'pseudo:%'
    qualify vintages.period_end = max(vintages.period_end) over (partition by vintages.series_no, vintages.observed_at)
),

seen_new as (
    select firsts.*
    from firsts
    inner join published.series using (series_no)
    where firsts.known_days between 0 and series.default_budget_days
),

compared as (
    select
        seen_new.series_no,
        seen_new.period_end,
        seen_new.lag_days,
        abs(newest.value - seen_new.first_value) as abs_revision,
        (newest.value is distinct from seen_new.first_value) as is_revised,
        newest.value is not null as has_value,
    from seen_new
    inner join published.vintages as newest
        on newest.series_no = seen_new.series_no
        and newest.period_end = seen_new.period_end
        and newest.period = seen_new.period
        and newest.known_to is null
    where is_series_in_part(newest.series_no)
),

summed as (
    select
        series_no,
        -- Summed in one order, so that the same lake gives the same bytes.
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
