-- The trailing multiples of companies, by company and day of the closing price. value_text is the reason if there is no
-- value.
select
    indicators.slug as canonical_id,
    indicators.unit,
    input_series_no,
    source_id,
    entity_id,
    indicators.frequency,
    period,
    period_start,
    period_end,
    value,
    reason as value_text,
    metadata,
    observed_at,
    released_at,
    retrieved_at,
    ingested_at,
    change_sequence,
    inputs,
    input_run_ids,
    source_run_id,
    run_id,
from valuations.valuation_multiples as multiples
inner join reference.derived_indicators as indicators using (slug)
