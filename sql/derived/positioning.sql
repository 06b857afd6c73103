-- Three-year midrank percentiles of net speculative positions, for each report in reference.derived_indicators.
-- value_text from the unrounded percentile: crowded_long at or above 90, crowded_short at or below 10. Null with fewer
-- than 104 reports in the window, with the reason in metadata.
with

judged as (
    select
        indicators.slug,
        indicators.unit,
        indicators.frequency,
        nets.source_id,
        nets.entity_id,
        nets.period,
        nets.period_start,
        nets.report_date,
        nets.released_at,
        nets.input_series_no,
        nets.inputs,
        nets.input_run_ids,
        nets.source_run_id,
        percentiles.* exclude (contract_no, report_no, net),
        percentiles.net,
    from positions.cot_percentiles as percentiles
    inner join positions.cot_nets as nets
        on nets.contract_no = percentiles.contract_no
        and nets.report_no = percentiles.report_no
        and nets.observed_at <= percentiles.known_at
        and nets.known_to > percentiles.known_at
    inner join reference.derived_indicators as indicators on indicators.family = 'positioning' and indicators.input = nets.report
)

select
    slug as canonical_id,
    unit,
    input_series_no,
    source_id,
    entity_id,
    frequency,
    period,
    period_start,
    report_date as period_end,
    round(percentile_3y, 2) as value,
    case
        when percentile_3y >= 90 then 'crowded_long'
        when percentile_3y <= 10 then 'crowded_short'
    end as value_text,
    json_object(
        'net', net,
        'weeklyChange', weekly_change,
        'percentile1y', round(percentile_1y, 2),
        'percentile3y', round(percentile_3y, 2),
        'zScore3y', round(z_score_3y, 6),
        'windowCount', count_3y,
        'reason', if(percentile_3y is null, 'insufficient_history', null)
    )::varchar as metadata,
    known_at as observed_at,
    released_at,
    retrieved_at,
    ingested_at,
    change_sequence,
    inputs,
    input_run_ids,
    source_run_id,
from judged
