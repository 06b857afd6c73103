-- Comparison values for a screen's newest value: the values of the three years before it, and the previous one however
-- old. One row per vintage with a value of the series in published.states, for each epoch in which it was in force.
-- [known_from, known_to) is cut at the ends of the epoch as there. The epochs are those from the variable `first_epoch`
-- to `last_epoch`, because each epoch is a file.
with

epochs as (
    select unnest(range(getvariable('first_epoch')::bigint, getvariable('last_epoch')::bigint + 1))::smallint as epoch
),

bounds as (
    select
        epoch,
        make_timestamp(epoch, 1, 1, 0, 0, 0) at time zone 'UTC' as epoch_from,
        if(epoch < year(knowledge_cutoff() at time zone 'UTC'), make_timestamp(epoch + 1, 1, 1, 0, 0, 0) at time zone 'UTC', 'infinity') as epoch_to,
    from epochs
),

lows as (
    select epoch, indicator_no, series_no, min(period_end) as low
    from published.states
    where epoch between getvariable('first_epoch')::smallint and getvariable('last_epoch')::smallint
    group by all
),

known as (
    select
        bounds.epoch,
        lows.indicator_no,
        lows.low,
        lows.series_no,
        vintages.period_end,
        vintages.value,
        greatest(vintages.observed_at, bounds.epoch_from) as known_from,
        if(vintages.known_to >= bounds.epoch_to, null, vintages.known_to) as known_to,
        vintages.observed_at <= bounds.epoch_from and coalesce(vintages.known_to >= bounds.epoch_to, true) as is_throughout,
        vintages.period_end > lows.low - interval 36 month as is_recent,
    from published.vintages
    inner join lows using (series_no)
    inner join bounds using (epoch)
    where vintages.value is not null and vintages.observed_at < bounds.epoch_to and coalesce(vintages.known_to > bounds.epoch_from, true)
),

-- For these, the value before the newest may be older than three years.
with_gaps as (
    select epoch, series_no
    from known
    group by all
    having not coalesce(bool_or(is_recent and is_throughout and period_end < low), false)
)

select known.epoch, known.indicator_no, known.series_no, known.period_end, known.value, known.known_from, known.known_to
from known
left join with_gaps as gaps using (epoch, series_no)
where known.is_recent or gaps.series_no is not null
order by known.epoch, known.indicator_no, known.series_no, known.period_end, known.known_from
