-- The input of screens: the newest value of each series of a screenable indicator over time. One row per state of a
-- series, [known_from, known_to), in which its newest period in force with a value and that vintage of it were the
-- same. A state is repeated for each calendar year (epoch, UTC) that it touches and cut at the ends of the year;
-- known_to is null if it goes on after it. The last epoch is that of the knowledge cutoff, so a null there means now.
-- indicator_no: the lowest series_no of its canonical indicator.
with

screened as (
    select series.series_no, min(series.series_no) over (partition by series.canonical_id) as indicator_no
    from derived.all_series as series
    inner join reference.canonical_indicators as indicators using (canonical_id)
    where indicators.is_screenable
),

prints as (from newest_over_time(series_nos := (select list(series_no) from screened))),

epochs as (
    select
        prints.*,
        screened.indicator_no,
        year(known_from at time zone 'UTC') as first_epoch,
        last.last_epoch,
        coalesce(year((known_to - interval 1 microsecond) at time zone 'UTC'), last_epoch) as known_epoch,
        unnest(range(least(first_epoch, last_epoch), 1 + least(known_epoch, last_epoch))) as epoch,
    from prints
    inner join screened using (series_no)
    cross join (select year(knowledge_cutoff() at time zone 'UTC') as last_epoch) as last
)

select
    epoch::smallint as epoch,
    indicator_no::integer as indicator_no,
    series_no::integer as series_no,
    if(epoch = least(first_epoch, last_epoch), known_from, make_timestamp(epoch, 1, 1, 0, 0, 0) at time zone 'UTC') as known_from,
    if(epoch < last_epoch and known_to >= make_timestamp(epoch + 1, 1, 1, 0, 0, 0) at time zone 'UTC', null, known_to) as known_to,
    period,
    period_end,
    value,
    vintage,
    observed_at,
    retrieved_at,
from epochs
order by epoch, indicator_no, series_no, known_from
