-- The times at which runs of a source wrote to the lake, in order, with the version of the source. If no intact record
-- has the version, it is that of the run before, or for a run that read everything again, that of the next run. Null:
-- the current version. Grain: read_at.
with

written as (
    select finished_at as read_at, connector_version, null as payloads_new from whole_ingestions
    union all
    select ingested_at, null, null from whole_observations
    union all
    select detected_at, null, null from whole_quarantine
    union all
    select finished_at, null, payloads_new from whole_attempts
    where payloads_new > 0
    union all
    select read_at, null, null from readings
),

runs as (
    select read_at, max(connector_version) as version, max(payloads_new) as payloads_new from written
    group by read_at
),

counted as (
    select
        runs.*,
        count(readings.payload_id) as payloads_then,
        count(readings.payload_id) filter (where readings.read_at = runs.read_at) as payloads_first_read,
    from runs
    left join readings on readings.read_at <= runs.read_at
    group by all
)

select
    strftime(read_at at time zone 'UTC', '%Y-%m-%dT%H:%M:%S.%gZ') as read_at,
    case
        when version is not null or payloads_new is null or payloads_new < payloads_then or payloads_new = payloads_first_read
            then
                coalesce(
                    last_value(version ignore nulls) over (order by read_at),
                    first_value(version ignore nulls) over (order by read_at rows between current row and unbounded following)
                )
        else first_value(version ignore nulls) over (order by read_at rows between current row and unbounded following)
    end as version,
from counted
order by read_at
