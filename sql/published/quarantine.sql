-- Quarantined rows and payloads. A finding is superseded when a later connector version has read the same payload. If a
-- finding is on a whole payload (no series code, no field), a later attempt with the same version is enough, or a later payload
-- of the same name that could be read. Pages of one answer are released when all of them are read. period_end: from the
-- label of the period, null without one; for a week, which may end on any of its days, its first day.
-- series_no and vintage identify the observation of a warning.
-- Contradictions within a source or with another source are found when the snapshot is built.
with

findings as (
    from lake.quarantine
    union all by name
    from filings.statement_findings
    union all by name
    from valuations.trailing_findings
    union all by name
    from valuations.share_findings
    union all by name
    from splits.split_findings
    union all by name
    from positions.cot_findings
    union all by name
    from reconciliations.reconciliation_findings
    union all by name
    from reconciliations.filed_findings
),

-- One row per answer of several pages that are all there. Sources write `page 1 of 2` of the same answer, or `pages of
-- 10000`.
whole_answers as (
    select source_id, series_code, period, field_path, regexp_extract(observed_value, '\d+$')::integer as pages, max(detected_at) as whole_at
    from findings
    where rule = 'reconciliation_failed' and observed_value similar to 'page \d+ of \d+'
    group by source_id, series_code, period, field_path, pages
    having count(distinct observed_value) = pages
),

replaced as (
    select unread.payload_id, min(read.finished_at) as replaced_at
    from lake.ingestions as unread
    inner join lake.ingestions as read
        on read.source_id = unread.source_id
        and read.key = unread.key
        and read.retrieved_at > unread.retrieved_at
    where unread.status = 'failed' and read.status = 'ok'
    group by all
)

select
    quarantine.quarantine_id,
    quarantine.source_id,
    quarantine.source_id as connector_id,
    quarantine.run_id,
    quarantine.entity_id,
    quarantine.indicator_id,
    quarantine.series_code,
    quarantine.period,
    case
        when regexp_full_match(quarantine.period, '\d{4}') then make_date(quarantine.period::integer, 12, 31)
        when
            regexp_full_match(quarantine.period, '\d{4}-Q[1-4]')
            then last_day(make_date(left(quarantine.period, 4)::integer, 3 * right(quarantine.period, 1)::integer, 1))
        when regexp_full_match(quarantine.period, '\d{4}-W\d{2}') then try_strptime(quarantine.period || '-1', '%G-W%V-%u')::date
        when regexp_full_match(quarantine.period, '\d{4}-\d{2}') then last_day(try_cast(quarantine.period || '-01' as date))
        else try_cast(quarantine.period as date)
    end as period_end,
    quarantine.rule,
    quarantine.rule_version,
    quarantine.severity,
    quarantine.reason,
    quarantine.field_path,
    quarantine.observed_value,
    quarantine.expected,
    quarantine.payload_id,
    case
        when later.connector_version > quarantine.connector_version then 'superseded'
        when
            quarantine.rule = 'schema_drift' and quarantine.indicator_id is null and quarantine.series_code is null
            and quarantine.field_path is null
            and (later.connector_version = quarantine.connector_version or replaced.replaced_at is not null)
            then 'superseded'
        when quarantine.severity = 'warn' or whole_answers.whole_at is not null then 'released'
        else coalesce(resolved.decision, 'open')
    end as status,
    quarantine.detected_at,
    case
        when status = 'open' then null
        when status = resolved.decision then resolved.decided_at
        when status = 'superseded' then coalesce(later.finished_at, replaced.replaced_at, quarantine.detected_at)
        else coalesce(whole_answers.whole_at, quarantine.detected_at)
    end as resolved_at,
    case
        when status = resolved.decision then resolved.note
        when status = 'superseded' and later.payload_id is null then 'A later file of the same name was read.'
        when status = 'superseded' then 'The payload was read again.'
        when status = 'released' then if(whole_answers.whole_at is null, 'A warning: the row was written.', 'All pages of the answer were read.')
    end as resolution,
    written.series_no,
    written.vintage,
from findings as quarantine
left join (
    select payload_id, max(connector_version) as connector_version, max(finished_at) as finished_at
    from lake.ingestions
    where status = 'ok'
    group by all
) as later using (payload_id)
left join replaced using (payload_id)
left join whole_answers
    on (whole_answers.source_id, whole_answers.series_code, whole_answers.field_path)
    = (quarantine.source_id, quarantine.series_code, quarantine.field_path)
    and whole_answers.period is not distinct from quarantine.period
    and quarantine.observed_value similar to ('page \d+ of ' || whole_answers.pages)
left join (
    select distinct on (quarantine_id) quarantine_id, status as decision, note, resolved_at as decided_at
    from lake.resolutions
    order by quarantine_id, resolved_at desc
) as resolved using (quarantine_id)
left join (
    select series.source_id, series.indicator_id, series.series_no, vintages.period, vintages.run_id, min(vintages.vintage) as vintage
    from published.vintages
    inner join published.series using (series_no)
    where
        not series.is_derived and vintages.run_id in (
            select run_id from lake.quarantine
            where severity = 'warn'
        )
    group by all
) as written
    on quarantine.severity = 'warn'
    and written.source_id = quarantine.source_id
    and written.indicator_id = quarantine.indicator_id
    and written.period = quarantine.period
    and written.run_id = quarantine.run_id
order by quarantine.quarantine_id
