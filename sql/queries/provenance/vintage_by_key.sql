-- One vintage by series, period and label. Grain: vintage.
select
    series_no,
    period,
    period_start,
    period_end,
    value,
    value_text,
    metadata,
    vintage,
    observed_at,
    known_to,
    prior_observed_at,
    prior_value,
    prior_vintage,
    release_no,
    is_revised,
    released_at,
    retrieved_at,
    ingested_at,
    run_id,
    source_run_id,
    change_sequence,
    id_hash,
    inputs,
    series_code,
from published.vintages
left join published.series_codes using (series_no, run_id)
where series_no = $series_no::integer and period = $period::varchar and vintage = $vintage::varchar
