-- Reports whose open interest is at least three times that of each of the thirteen reports before, or at most a third,
-- without a break in reference.cot_breaks. They become findings in quarantine and change no number. Thirteen reports
-- span an expiry cycle, at whose end open interest falls and recovers. Only first prints that were known at the
-- report's time count. One row per quarantine_id.
with

open_interest as (
    select
        series.source_id,
        series.entity_id,
        series.indicator_id,
        series.series_code,
        vintages.period,
        vintages.period_end as report_date,
        vintages.value,
        vintages.observed_at,
        vintages.run_id,
        vintages.ingested_at,
    from series.vintages
    inner join series.series using (series_no)
    where regexp_full_match(series.canonical_id, 'cot_(\w+_)?open_interest(_combined)?') and vintages.release_no = 1 and vintages.value > 0
),

compared as (
    select
        *,
        max(value) over earlier as highest_before,
        min(value) over earlier as lowest_before,
        lag(report_date) over (partition by source_id, indicator_id order by observed_at, report_date) as date_before,
    from open_interest
    window earlier as (partition by source_id, indicator_id order by observed_at, report_date rows between 13 preceding and 1 preceding)
)

select
    'qrn_' || left(sha256(concat_ws('|', 'cot', compared.source_id, compared.indicator_id, compared.period)), 26) as quarantine_id,
    compared.source_id,
    'scale_jump' as rule,
    '1' as rule_version,
    'warn' as severity,
    'Open interest of ' || compared.value::bigint || ' contracts is '
    || if(compared.value > compared.highest_before, 'at least three times', 'at most a third of')
    || ' each of the thirteen reports before. The windows of its statistics go on; if the contract changed its unit, name it in '
    || 'data/reference/cot_breaks.csv.' as reason,
    compared.entity_id,
    compared.indicator_id,
    compared.series_code,
    compared.period,
    'open_interest' as field_path,
    compared.value::bigint::varchar as observed_value,
    json_object('lowestBefore', compared.lowest_before::bigint, 'highestBefore', compared.highest_before::bigint)::varchar as expected,
    runs.payload_id,
    compared.run_id,
    compared.ingested_at as detected_at,
from compared
left join series.runs using (run_id)
where
    compared.highest_before >= 10000
    and (compared.value >= 3 * compared.highest_before or compared.value <= compared.lowest_before / 3)
    and not exists (
        from reference.cot_breaks as breaks
        where breaks.entity_id = compared.entity_id and breaks.report_date > compared.date_before and breaks.report_date <= compared.report_date
    )
