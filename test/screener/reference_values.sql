-- The newest value of each series as known at the cutoff, with the values that a screen compares it with: that of the period before by its label, that of
-- the same label a year before (of days: the row before, and the newest of the ten days up to that day), and the spread of the trailing three years.
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
        case
            when period like '____' then printf('%04d', period::integer - 1)
            when period like '____-Q_' then left((period_end - interval 3 month)::varchar, 4) || '-Q' || quarter(period_end - interval 3 month)
            when period like '____-__' then left((period_end - interval 1 month)::varchar, 7)
            when period like '____-W__' then strftime(period_end - 7, '%G-W%V')
        end as label_before,
        if(period like '____-__-__', null, printf('%04d', left(period, 4)::integer - 1) || substring(period, 5)) as label_a_year_before,
        lag(value) over (partition by series_no order by period_end) as value_before,
    from known
    qualify row_number() over (partition by series_no order by period_end desc) = 1
),

spread as (
    select
        newest.series_no,
        if(
            any_value(newest.label_before) is null,
            any_value(newest.value_before),
            any_value(known.value) filter (where known.period = newest.label_before)
        ) as previous,
        if(
            any_value(newest.label_a_year_before) is null,
            arg_max(known.value, known.period_end) filter (where known.period_end between newest.year_ago - 10 and newest.year_ago),
            any_value(known.value) filter (where known.period = newest.label_a_year_before)
        ) as value_year_ago,
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
    spread.previous,
    spread.value_year_ago,
    spread.count_3y,
    spread.mean_3y,
    spread.deviation_3y,
from newest
inner join spread using (series_no)
order by newest.series_no
