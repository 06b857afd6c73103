-- The lake's rows of the staged series, by their numbers, as far as they matter. If everything about a period was known
-- before the day of its first staged statement, only the newest row, with value and instant; otherwise all rows. Grain:
-- series, period_end, observed_at.
with

touched as (
    select distinct series.series_ix, met.series_no, met.indicator_id, met.frequency
    from staged.series
    inner join standing.series as met
        on met.indicator_id = series.indicator_id
        and met.frequency = series.resolved_frequency
),

stated as (
    select touched.series_no, judged.period_end, make_timestamp(epoch_us(min(judged.observed_at)))::date as first_day
    from staged.judged
    inner join touched using (series_ix)
    where judged.rule is null
    group by all
),

newest as (
    select
        stated.series_no,
        stated.period_end,
        max(held.observed_at) as observed_at,
        arg_max_null(held.value, held.observed_at) as value,
        make_timestamp(epoch_us(max(held.observed_at)))::date < stated.first_day as is_before,
    from stated
    inner join standing.newest as held using (series_no, period_end)
    group by stated.series_no, stated.period_end, stated.first_day
),

reached as (
    select touched.series_ix, touched.indicator_id, touched.frequency, newest.period_end
    from newest
    inner join touched using (series_no)
    where not newest.is_before
),

files as (
    select payload_id, any_value(key) as key from staged.lake_ingestions
    group by all
)

select
    touched.series_ix,
    newest.period_end,
    newest.observed_at,
    null::varchar as vintage,
    newest.value,
    null::timestamptz as retrieved_at,
    null::varchar as key,
from newest
inner join touched using (series_no)
where newest.is_before
union all
select
    reached.series_ix,
    observations.period_end,
    observations.observed_at,
    observations.vintage,
    observations.value,
    observations.retrieved_at,
    files.key,
from staged.lake_observations as observations
inner join reached
    on reached.indicator_id = observations.indicator_id
    and reached.frequency = observations.frequency
    and reached.period_end = observations.period_end
left join files on files.payload_id = observations.payload_id
