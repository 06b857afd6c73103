-- Comparison values for the newest value of each series of some indicators, as known at the cutoff: the previous
-- calendar period, the same period a year before, and mean and deviation of the trailing three years. For days and
-- events: the previous row, and the newest within the ten days up to that day a year before. Infinity means the latest
-- knowledge. epoch: the calendar year of the cutoff.
with

known as (
    select
        series_no,
        series.frequency,
        period_end,
        value,
        max(period_end) over (partition by series_no) as newest_end,
    from published.values_3y
    inner join published.series using (series_no)
    where
        epoch = $epoch::smallint
        and indicator_no between $first_no::integer and $last_no::integer
        and list_contains($indicator_nos::integer[], indicator_no)
        and is_in_force(known_from, known_to, $as_of::timestamptz)
        and period_end >= $period_from::date
),

compared as (
    select
        *,
        if(newest_end = last_day(newest_end), last_day(newest_end - interval 12 month), (newest_end - interval 12 month)::date) as year_ago,
        calendar_place(frequency, period_end) as place,
        coalesce(place = calendar_place(frequency, newest_end) - 1, period_end < newest_end) as is_before,
        coalesce(place = place_a_year_before(frequency, newest_end), period_end between year_ago - 10 and year_ago) as is_year_ago,
        period_end > newest_end - interval 36 month as is_trailing,
    from known
),

gathered as (
    select
        series_no,
        arg_max(value, period_end) filter (where is_before) as previous,
        arg_max(value, period_end) filter (where is_year_ago) as value_year_ago,
        count(*) filter (where is_trailing) as count_3y,
        -- In the order of periods, because a sum of fractions depends on the order.
        list(value order by period_end, value) filter (where is_trailing) as recent,
    from compared
    group by series_no
),

centred as (
    select
        *,
        -- Adds distances from one of the values, so that equal values have exactly zero deviation.
        recent[1] + list_sum(list_transform(recent, lambda one: one - recent[1])) / count_3y as mean_3y,
    from gathered
)

select
    series_no,
    previous,
    value_year_ago,
    count_3y,
    mean_3y,
    if(count_3y > 1, sqrt(list_sum(list_transform(recent, lambda one: (one - mean_3y) * (one - mean_3y))) / (count_3y - 1)), null) as deviation_3y,
from centred
