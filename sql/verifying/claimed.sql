-- The requested vintages of a source's own series, with the payload of each. Grain: vintage.
with

named as (
    select
        series.source_id,
        series.indicator_id,
        series.entity_id,
        series.canonical_id,
        series.series_code,
        series.frequency,
        series.unit,
        vintages.*,
        observation_id(series.source_id, series.indicator_id, series.entity_id, series.frequency, vintages.period, vintages.vintage)
            as observation_id,
    from verifying.vintages
    inner join verifying.series using (series_no)
),

-- The payload's own code of a series, because files may use several.
read_as as (
    select source_id, indicator_id, frequency, run_id, arg_max(series_code, change_sequence) as series_code
    from lake.observations
    group by all
)

select
    named.* replace (coalesce(read_as.series_code, named.series_code) as series_code),
    runs.payload_id,
    runs.key,
    runs.sha256,
    runs.address,
    runs.connector_version,
from named
left join lake.ingestions as runs on runs.run_id = named.run_id
left join read_as
    on read_as.source_id = named.source_id
    and read_as.indicator_id = named.indicator_id
    and read_as.frequency = named.frequency
    and read_as.run_id = named.run_id
where named.observation_id in (select unnest(getvariable('asked_ids')))
