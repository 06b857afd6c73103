-- The newest value of each series as known at the cutoff, with what a screen compares it with: the value before, the value a year before
-- (of the period that ends on that day, or for days and weeks within ten days before it), and the spread of the trailing three years.
with

known as (
    select series_no, period, period_end, value, vintage, observed_at, retrieved_at
    from asked_vintages(
        series_from := $series_from::integer,
        series_to := $series_to::integer,
        series_nos := $series_nos::integer[],
        as_of := $as_of::timestamptz,
        period_from := $period_from::date,
        numeric_only := true,
        chosen_vintage := 'latest'
    )
),

newest as (
    select
        *,
        if(period_end = last_day(period_end), last_day(period_end - interval 12 month), (period_end - interval 12 month)::date) as year_ago,
    from (
        select *, lag(value) over (partition by series_no order by period_end) as previous
        from known
        qualify row_number() over (partition by series_no order by period_end desc) = 1
    )
),

spread as (
    select
        newest.series_no,
        arg_max(known.value, known.period_end) filter (where known.period_end between newest.year_ago - 10 and newest.year_ago) as value_year_ago,
        count(*) filter (where known.period_end > newest.period_end - interval 36 month) as count_3y,
        avg(known.value) filter (where known.period_end > newest.period_end - interval 36 month) as mean_3y,
        stddev_samp(known.value) filter (where known.period_end > newest.period_end - interval 36 month) as deviation_3y,
    from newest
    inner join known using (series_no)
    group by all
)

select
    newest.series_no,
    newest.period,
    newest.period_end,
    newest.value,
    newest.vintage,
    newest.observed_at,
    newest.retrieved_at,
    newest.previous,
    spread.value_year_ago,
    spread.count_3y,
    spread.mean_3y,
    spread.deviation_3y,
from newest
inner join spread using (series_no)
order by newest.series_no
