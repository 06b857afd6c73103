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

withdrawals as (
    select series_no, period_end, observed_at
    from published.vintages
    where value is null and series_no in (select series_no from screened)
),

-- A period is in force from a value after none until the next withdrawal.
holds as (
    select starts.series_no, starts.period_end, starts.observed_at as held_from, min(withdrawals.observed_at) as held_to
    from published.vintages as starts
    left join withdrawals
        on withdrawals.series_no = starts.series_no and withdrawals.period_end = starts.period_end and withdrawals.observed_at > starts.observed_at
    where starts.value is not null and starts.prior_value is null and starts.series_no in (select series_no from screened)
    group by all
),

reaches as (
    select
        *,
        -- The time at which a later period, or this one again, comes into force.
        min(held_from) over (partition by series_no order by period_end, held_from rows between 1 following and unbounded following) as passed_at,
    from holds
),

-- If the furthest period is withdrawn, an earlier one is the newest until a further one comes into force.
gaps as (
    select series_no, held_to as gap_from, passed_at as gap_to
    from reaches
    where held_to < coalesce(passed_at, 'infinity')
),

turns as (
    select series_no, gap_from, gap_to, gap_from as turned_at
    from gaps
    union
    select series_no, gaps.gap_from, gaps.gap_to, unnest([holds.held_from, holds.held_to])
    from gaps inner join holds using (series_no)
),

resurfaced as (
    select
        turns.series_no,
        max(holds.period_end) as period_end,
        turns.turned_at as newest_from,
        coalesce(lead(turns.turned_at) over (partition by turns.series_no, turns.gap_from order by turns.turned_at), turns.gap_to) as newest_to,
    from turns
    left join holds
        on holds.series_no = turns.series_no and holds.held_from <= turns.turned_at and coalesce(holds.held_to > turns.turned_at, true)
    where turns.turned_at >= turns.gap_from and turns.turned_at < coalesce(turns.gap_to, 'infinity')
    group by turns.series_no, turns.gap_from, turns.gap_to, turns.turned_at
),

newest as (
    select series_no, period_end, held_from as newest_from, least(held_to, passed_at) as newest_to
    from reaches
    where held_from < coalesce(passed_at, 'infinity')
    union all
    select series_no, period_end, newest_from, newest_to
    from resurfaced
    where period_end is not null
),

prints as (
    select
        newest.series_no,
        vintages.period,
        newest.period_end,
        vintages.value,
        vintages.vintage,
        vintages.observed_at,
        vintages.retrieved_at,
        greatest(newest.newest_from, vintages.observed_at) as known_from,
        least(newest.newest_to, vintages.known_to) as known_to,
    from newest
    inner join published.vintages as vintages using (series_no, period_end)
    where
        vintages.value is not null
        and vintages.observed_at < coalesce(newest.newest_to, 'infinity')
        and newest.newest_from < coalesce(vintages.known_to, 'infinity')
),

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
