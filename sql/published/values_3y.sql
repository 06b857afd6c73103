-- Comparison values for a screen's newest value: the values of the three years before it, and the previous one however
-- old. One row per vintage with a value of the series in published.states, for each epoch in which it was in force.
-- [known_from, known_to) is cut at the ends of the epoch as there. The epoch is that of the variable `epoch`, because
-- each epoch is a file.
with

bounds as (
    select
        getvariable('epoch')::smallint as epoch,
        make_timestamp(epoch, 1, 1, 0, 0, 0) at time zone 'UTC' as epoch_from,
        if(epoch < year(knowledge_cutoff() at time zone 'UTC'), make_timestamp(epoch + 1, 1, 1, 0, 0, 0) at time zone 'UTC', 'infinity') as epoch_to,
),

lows as (
    select indicator_no, series_no, min(period_end) as low
    from published.states
    where epoch = getvariable('epoch')::smallint
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
    cross join bounds
    where vintages.value is not null and vintages.observed_at < bounds.epoch_to and coalesce(vintages.known_to > bounds.epoch_from, true)
),

-- For these, the value before the newest may be older than three years.
with_gaps as (
    select series_no
    from known
    group by all
    having not coalesce(bool_or(is_recent and is_throughout and period_end < low), false)
)

select epoch, indicator_no, series_no, period_end, value, known_from, known_to
from known
where is_recent or series_no in (select series_no from with_gaps)
order by indicator_no, series_no, period_end, known_from
