-- The policy rate, unchanged: for the United States the effective federal funds rate of the month, elsewhere the rate
-- at its end.
select
    indicators.slug as canonical_id,
    indicators.unit,
    series_no as input_series_no,
    series.source_id,
    series.entity_id,
    series.frequency,
    vintages.period,
    vintages.period_start,
    vintages.period_end,
    vintages.value,
    null::varchar as value_text,
    null::varchar as metadata,
    vintages.observed_at,
    vintages.released_at,
    vintages.retrieved_at,
    vintages.ingested_at,
    vintages.change_sequence,
    [{ series_no: series_no, period: vintages.period, vintage: vintages.vintage, role: 'rate' }] as inputs,
    [vintages.run_id] as input_run_ids,
    vintages.run_id as source_run_id,
from series.vintages
inner join derived.transform_inputs as series using (series_no)
inner join reference.derived_indicators as indicators using (slug)
where indicators.slug = 'policy_rate'
