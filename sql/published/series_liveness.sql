-- The liveness of each series' feed, one row per series. It advanced when a value of its newest period was first read
-- here. last_checked_at: the last request that brought or confirmed a payload with the series. upstream_advanced: true
-- if another series of such a payload advanced with the first of those requests after its own advance, or later; null
-- if there was none.
-- If no payload of a series was requested (files in a folder), the successful runs of its source count as requests, and
-- their rows as advances. identical_prints: newest periods in a row with the same value. next_release_at: the first
-- release after the advance in a calendar; null for daily and weekly data.
with

in_force as (
    select
        series_no,
        period_end,
        (last_value(value) over (
            partition by series_no order by period_end rows between unbounded preceding and unbounded following
        ) is distinct from value) as is_other,
    from published.vintages
    where known_to is null and value is not null
),

newest_other as (
    select series_no, max(period_end) filter (where is_other) as period_end
    from in_force
    group by all
),

identical as (
    select in_force.series_no, count(*) as identical_prints
    from in_force
    inner join newest_other using (series_no)
    where in_force.period_end > coalesce(newest_other.period_end, date '-infinity')
    group by all
),

advances as (
    select series.series_no, series.source_id, min(vintages.ingested_at) filter (where vintages.value is not null) as last_advance_at
    from published.series
    left join published.vintages on vintages.series_no = series.series_no and vintages.period_end = series.latest_period_end
    group by all
),

series_runs as (
    select distinct series_no, run_id
    from published.vintages
    where run_id is not null
),

written as (
    select distinct series_runs.series_no, runs.source_id, runs.key
    from series_runs
    inner join series.runs using (run_id)
),

-- A payload that no reader could read is no evidence about a series.
unread as (
    select source_id, key, sha256
    from series.runs
    group by all
    having bool_and(status <> 'ok')
),

answers as (
    select source_id, key, finished_at
    from lake.fetches
    anti join unread using (source_id, key, sha256)
    where kind = 'same' or kind = 'new' and key not like '%/series_vintagedates.%'
),

key_sizes as (
    select source_id, key, count(*) as series_count
    from written
    group by all
),

-- A key continues as another one (the file of the next year) if it wrote more than half of that one's series.
continuing as (
    select earlier.source_id, earlier.key, later.key as later_key
    from written as earlier
    inner join key_sizes using (source_id, key)
    inner join written as later on later.series_no = earlier.series_no and later.source_id = earlier.source_id
    semi join answers on answers.source_id = later.source_id and answers.key = later.key
    group by earlier.source_id, earlier.key, later.key, key_sizes.series_count
    having 2 * count(*) > key_sizes.series_count
),

-- Vintages of FRED are requested only if the dates of vintages have changed. Unchanged dates confirm them.
dates as (
    select distinct source_id, key, regexp_extract(key, '/series_vintagedates\.([^.]+)\.', 1) as code
    from answers
    where key like '%/series_vintagedates.%'
),

carrying as (
    select written.series_no, written.source_id, continuing.later_key as key
    from written
    inner join continuing using (source_id, key)
    union
    select written.series_no, dates.source_id, dates.key
    from written
    inner join dates on dates.code = regexp_extract(written.key, '/series_observations\.([^.]+)\.', 1)
),

requests as (
    select
        advances.series_no,
        max(answers.finished_at) as last_checked_at,
        min(answers.finished_at) filter (where answers.finished_at > advances.last_advance_at) as first_checked_since,
    from advances
    inner join carrying using (series_no)
    inner join answers on answers.source_id = carrying.source_id and answers.key = carrying.key
    group by all
),

key_advances as (
    select written.source_id, written.key, max(advances.last_advance_at) as last_advance_at
    from written
    inner join advances using (series_no)
    group by all
),

neighbours as (
    select carrying.series_no, max(key_advances.last_advance_at) as last_advance_at
    from carrying
    inner join key_advances using (source_id, key)
    group by all
),

runs as (
    select
        advances.series_no,
        max(attempts.finished_at) as last_checked_at,
        bool_or(attempts.rows_written > 0) filter (where attempts.started_at > advances.last_advance_at) as upstream_advanced,
    from advances
    inner join lake.attempts on attempts.source_id = advances.source_id and attempts.status = 'ok'
    anti join requests on requests.series_no = advances.series_no
    group by all
),

carried as (
    select release_id, entity_id, unnest(canonical_ids) as canonical_id
    from reference.releases
),

next_releases as (
    select advances.series_no, min(schedules.due_at) as next_release_at
    from advances
    inner join published.series using (series_no)
    inner join carried using (entity_id, canonical_id)
    inner join calendar.calendar_schedules as schedules on schedules.release_id = carried.release_id
    where
        series.frequency in ('monthly', 'quarterly', 'annual')
        and schedules.known_to is null
        and schedules.status <> 'cancelled'
        and not schedules.is_lapsed
        and schedules.due_at > advances.last_advance_at
    group by all
)

select
    series.series_no,
    advances.last_advance_at,
    coalesce(requests.last_checked_at, runs.last_checked_at) as last_checked_at,
    if(
        requests.series_no is null,
        runs.upstream_advanced,
        requests.first_checked_since <= neighbours.last_advance_at
    ) as upstream_advanced,
    coalesce(identical.identical_prints, 0) as identical_prints,
    next_releases.next_release_at,
from published.series
left join advances using (series_no)
left join requests using (series_no)
left join neighbours using (series_no)
left join runs using (series_no)
left join identical using (series_no)
left join next_releases using (series_no)
order by series.series_no
