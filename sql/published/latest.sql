-- The newest period in force that has a value, per series, with the period before it: as known just before this vintage (previous) and at
-- it (revised_previous, null if unchanged). What sql/queries/observations_latest.sql answers when nothing but series are asked for.
with

newest as (
    select *
    from published.vintages
    where known_to is null and value is not null
    qualify row_number() over (partition by series_no order by period_end desc, observed_at desc) = 1
),

before as (
    select
        newest.series_no,
        max(earlier.period_end) as period_end,
    from newest
    inner join published.vintages as earlier
        on earlier.series_no = newest.series_no
        and earlier.period_end < newest.period_end
        and earlier.observed_at <= newest.observed_at
        and earlier.value is not null
    group by all
),

previous as (
    select
        newest.series_no,
        max(earlier.value) filter (where earlier.observed_at < newest.observed_at and coalesce(earlier.known_to >= newest.observed_at, true)) as value_before,
        max(earlier.value) filter (where coalesce(earlier.known_to > newest.observed_at, true)) as value_after,
    from newest
    inner join before using (series_no)
    inner join published.vintages as earlier
        on earlier.series_no = before.series_no
        and earlier.period_end = before.period_end
        and earlier.observed_at <= newest.observed_at
    group by all
)

select
    newest.series_no,
    newest.period,
    newest.period_end,
    newest.value,
    newest.vintage,
    newest.observed_at,
    newest.released_at,
    newest.retrieved_at,
    newest.is_revised,
    newest.release_no,
    newest.run_id,
    newest.id_hash,
    newest.derived_from,
    coalesce(previous.value_before, previous.value_after) as previous,
    if(previous.value_before is distinct from previous.value_after and previous.value_before is not null, previous.value_after, null) as revised_previous,
    before.period_end as previous_period_end,
from newest
left join previous using (series_no)
left join before using (series_no)
order by newest.series_no
