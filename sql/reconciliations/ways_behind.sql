-- One row per source whose two ways in differ: the requested one brings no news, and was requested a week after the
-- other had brought a report that nobody had before. brought_at: the arrival of the first of these reports. A way is
-- silent since its newest content. If its request changes, at the turn of a quarter, the week starts again.
with

ways as (
    select
        'cftc_legacy' as source_id,
        'API' as way,
        '%/socrata/6dca-aqww%' as way_keys,
        'yearly file' as other_way,
        '%/legacy_futonly/deacot%' as other_keys,
),

contents as (
    select ways.*, ingestions.key, ingestions.run_id, ingestions.retrieved_at
    from ways
    inner join lake.ingestions on ingestions.source_id = ways.source_id and ingestions.status = 'ok'
),

silent as (
    select source_id, way, other_way, way_keys, max(retrieved_at) as silent_since
    from contents
    where key like way_keys
    group by all
),

reports as (
    select
        contents.source_id,
        observations.period_end,
        min(contents.retrieved_at) as brought_at,
        arg_min(contents.key like contents.other_keys, contents.retrieved_at) as is_by_other,
    from contents
    inner join lake.observations on observations.source_id = contents.source_id and observations.run_id = contents.run_id
    group by all
),

asked as (
    select silent.source_id, max(fetches.finished_at) as asked_at
    from silent
    inner join lake.fetches
        on fetches.source_id = silent.source_id and fetches.key like silent.way_keys and fetches.kind = 'same'
    group by all
)

select
    silent.source_id,
    min(reports.brought_at) as brought_at,
    'The ' || silent.way || ' is behind the ' || silent.other_way || ' by ' || count(*) || if(count(*) = 1, ' report', ' reports') || ', '
    || min(reports.period_end) || ' to ' || max(reports.period_end) || ': it has brought nothing new since '
    || strftime(silent.silent_since at time zone 'UTC', '%Y-%m-%d') || ' and was asked last on '
    || strftime(asked.asked_at at time zone 'UTC', '%Y-%m-%d') || '. The ' || silent.other_way || ' counts.' as message,
from silent
inner join asked using (source_id)
inner join reports
    on reports.source_id = silent.source_id and reports.is_by_other and reports.brought_at > silent.silent_since
group by silent.source_id, silent.way, silent.other_way, silent.silent_since, asked.asked_at
having asked.asked_at >= min(reports.brought_at) + interval 7 day
