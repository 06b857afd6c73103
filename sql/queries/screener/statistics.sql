-- What the newest value of each series of some indicators is compared with, as known at the cutoff: the value before, the value a year before (of the
-- period that ends on that day, or for days and weeks within ten days before it), and the spread of the trailing three years. The cutoff is infinity
-- for what is known last; epoch: its calendar year.
with

known as (
    select
        series_no,
        period_end,
        value,
        max(period_end) over (partition by series_no) as newest_end,
    from published.values_3y
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
        period_end > newest_end - interval 36 month as is_trailing,
    from known
),

gathered as (
    select
        series_no,
        arg_max(value, period_end) filter (where period_end < newest_end) as previous,
        arg_max(value, period_end) filter (where period_end between year_ago - 10 and year_ago) as value_year_ago,
        count(*) filter (where is_trailing) as count_3y,
        -- In the order of their periods: a sum of fractions depends on it.
        list(value order by period_end, value) filter (where is_trailing) as recent,
    from compared
    group by series_no
),

centred as (
    select
        *,
        -- By distances from one of them, so that values that are all equal have no spread at all.
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
