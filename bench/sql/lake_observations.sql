-- What the lake holds of the vintages that derived.all_vintages makes up: one row each, as the reader of their source appends it.
select
    series.indicator_id,
    series.entity_id,
    series.canonical_id,
    series.series_code,
    series.frequency,
    series.unit,
    vintages.period,
    vintages.period_start,
    vintages.period_end,
    vintages.value,
    vintages.obs_status,
    vintages.vintage,
    vintages.observed_at,
    vintages.released_at,
    vintages.retrieved_at,
    vintages.ingested_at,
    'pay_generated_' || getvariable('dataset_no') as payload_id,
    vintages.run_id,
    vintages.change_sequence,
from derived.all_vintages as vintages
inner join derived.all_series as series using (series_no)
order by series.indicator_id, vintages.period_end, vintages.observed_at
