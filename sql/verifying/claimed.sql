-- The vintages of a source's own series that were asked for, with the payload that each was read from. Grain: vintage.
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
)

select named.*, runs.payload_id, runs.key, runs.sha256, runs.address, runs.connector_version,
from named
left join lake.ingestions as runs on runs.run_id = named.run_id
where named.observation_id in (select unnest(getvariable('asked_ids')))
