-- Net speculative positions: long minus short of the non-commercials (legacy report), of leveraged funds (TFF report)
-- or of managed money (disaggregated report), in futures only or with options (_combined). Spreading is left out. Both
-- legs are as known at the same moment. contract_no and report_no number contracts and their reports. Grain:
-- contract_no, report_no, observed_at; in force during [observed_at, known_to).
with

legs as (
    select
        case
            when starts_with(series.canonical_id, 'cot_tff_') then 'tff'
            when starts_with(series.canonical_id, 'cot_disaggregated_') then 'disaggregated'
            else 'legacy'
        end || if(ends_with(series.canonical_id, '_combined'), '_combined', '') as report,
        contains(series.canonical_id, '_long') as is_long,
        series.source_id,
        series.entity_id,
        vintages.*,
    from series.vintages
    inner join series.series using (series_no)
    where regexp_full_match(
        series.canonical_id, 'cot_(noncommercial|tff_leveraged_funds|disaggregated_managed_money)_(long|short)(_combined)?'
    )
)

select
    dense_rank() over (order by longs.report, longs.source_id, longs.entity_id)::integer as contract_no,
    dense_rank() over (partition by longs.report, longs.source_id, longs.entity_id order by longs.period_end)::integer as report_no,
    longs.report,
    longs.source_id,
    longs.entity_id,
    longs.period,
    longs.period_start,
    longs.period_end as report_date,
    (longs.value - shorts.value)::bigint as net,
    greatest(longs.observed_at, shorts.observed_at) as observed_at,
    least(coalesce(longs.known_to, timestamptz 'infinity'), coalesce(shorts.known_to, timestamptz 'infinity')) as known_to,
    if(longs.observed_at >= shorts.observed_at, longs.released_at, shorts.released_at) as released_at,
    greatest(longs.retrieved_at, shorts.retrieved_at) as retrieved_at,
    greatest(longs.ingested_at, shorts.ingested_at) as ingested_at,
    greatest(longs.change_sequence, shorts.change_sequence) as change_sequence,
    longs.series_no as input_series_no,
    [
        { series_no: longs.series_no, period: longs.period, vintage: longs.vintage, role: 'long' },
        { series_no: shorts.series_no, period: shorts.period, vintage: shorts.vintage, role: 'short' }
    ] as inputs,
    [longs.run_id, shorts.run_id] as input_run_ids,
    if(longs.observed_at >= shorts.observed_at, longs.run_id, shorts.run_id) as source_run_id,
from legs as longs
inner join legs as shorts
    on shorts.report = longs.report
    and shorts.source_id = longs.source_id
    and shorts.entity_id = longs.entity_id
    and shorts.period_end = longs.period_end
    and shorts.observed_at < coalesce(longs.known_to, timestamptz 'infinity')
    and longs.observed_at < coalesce(shorts.known_to, timestamptz 'infinity')
where longs.is_long and not shorts.is_long and longs.value is not null and shorts.value is not null
