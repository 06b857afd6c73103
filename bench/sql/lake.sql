-- What the lake knows of the runs that the generated rows come from, and the entities beyond the countries of the reference data.
insert into lake.attempts by name
select
    source_id,
    'att_generated' as attempt_id,
    timestamptz '2026-12-31 00:00:00Z' + to_days((getvariable('lift') > 0)::integer) as started_at,
    timestamptz '2026-12-31 01:00:00Z' + to_days((getvariable('lift') > 0)::integer) as finished_at,
    'ok' as status,
    1 as rows_written
from reference.sources
where source_no <= 4;

insert into lake.ingestions by name
select
    source_id,
    'run_generated_' || source_no as run_id,
    'pay_generated_' || source_no as payload_id,
    'generated/' || source_no as key,
    sha256(source_id) as sha256,
    1 as bytes,
    'text/csv' as media_type,
    timestamptz '2026-12-31 00:00:00Z' as retrieved_at,
    1 as connector_version,
    'bench' as code_revision,
    timestamptz '2026-12-31 00:00:00Z' as started_at,
    timestamptz '2026-12-31 01:00:00Z' as finished_at, 'ok' as status, 1 as rows_read, 1 as rows_written, 0 as rows_quarantined,
from reference.sources
where source_no <= 4;

insert into lake.entities by name
select
    (
        select source_id from reference.sources
        where source_no = 1
    ) as source_id,
    format('region_g{:04d}', number) as entity_id,
    'region' as entity_type,
    format('Generated region {}', number) as name,
    '{}' as identifiers,
    timestamptz '2026-12-31 00:00:00Z' as retrieved_at
from range(greatest(getvariable('entities') - (select count(*) from reference.countries), 0)) as numbers (number);
