-- The twin of sql/queries/observations/latest.sql (and sql/macros/newest_periods.sql): the newest period with a value
-- of each given series that matches the filters, with the previous calendar period. Grain: series.
with

newest as (
    select *
    from asked_vintages
    where value is not null
    order by period_end desc, observed_at desc
    limit 1 by series_no
),

-- A join streams its left side and holds its right side in memory.
earlier as (
    select
        earlier.series_no as series_no,
        earlier.period_end as period_end,
        earlier.value as value,
        earlier.observed_at as observed_at,
        earlier.known_to as known_to,
        newest.observed_at as newest_at,
        coalesce(
            calendar_place(series.frequency, earlier.period_end) = calendar_place(series.frequency, newest.period_end) - 1, true
        ) as is_before
    from {vintages:Identifier} as earlier
    inner join newest on newest.series_no = earlier.series_no
    inner join {series:Identifier} as series on series.series_no = earlier.series_no
    where
        earlier.series_no between {series_from:UInt32} and {series_to:UInt32}
        and ({no_series_nos:Bool} or earlier.series_no in (select arrayJoin({series_nos:Array(UInt32)})))
        and earlier.period_end < newest.period_end
        and earlier.observed_at <= newest.observed_at
        and coalesce(earlier.known_to >= newest.observed_at, true)
),

before as (
    select
        series_no,
        max(earlier.period_end) as period_end
    from earlier
    where value is not null and is_before and ({history_from:Nullable(Int32)} is null or period_end >= {history_from:Nullable(Int32)})
    group by series_no
),

previous as (
    select
        earlier.series_no as series_no,
        maxIf(earlier.value, earlier.observed_at < earlier.newest_at and coalesce(earlier.known_to >= earlier.newest_at, true)) as value_before,
        maxIf(earlier.value, coalesce(earlier.known_to > earlier.newest_at, true)) as value_after
    from earlier
    inner join before on before.series_no = earlier.series_no and before.period_end = earlier.period_end
    group by earlier.series_no
)

select
    newest.series_no as series_no,
    newest.period as period,
    newest.period_end as period_end,
    newest.value as value,
    newest.vintage as vintage,
    newest.observed_at as observed_at,
    newest.known_to as known_to,
    newest.released_at as released_at,
    newest.retrieved_at as retrieved_at,
    newest.is_revised as is_revised,
    newest.is_backfill as is_backfill,
    newest.obs_status as obs_status,
    newest.release_no as release_no,
    newest.id_hash as id_hash,
    newest.source_run_id as source_run_id,
    newest.derived_from as derived_from,
    coalesce(previous.value_before, previous.value_after) as previous,
    if(
        previous.value_before is not null and (previous.value_after is null or previous.value_before != previous.value_after),
        previous.value_after,
        null
    ) as revised_previous
from newest
left join previous on previous.series_no = newest.series_no
