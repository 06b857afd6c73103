-- Every vintage of every observation; one file per dataset (a source, or a derived indicator), one series being one place in it (by
-- series_no, period_end, observed_at).
-- [observed_at, known_to) is the interval in which the row was the newest known of its period: `observed_at <= t and (known_to is null
-- or known_to > t)` answers "as of t" without aggregation. id_hash: the first 64 bits of the observationId.
select
    all_vintages.series_no,
    all_vintages.period,
    all_vintages.period_start,
    all_vintages.period_end,
    all_vintages.value,
    all_vintages.value_text,
    all_vintages.metadata,
    all_vintages.vintage,
    all_vintages.observed_at,
    all_vintages.known_to,
    all_vintages.prior_observed_at,
    all_vintages.prior_value,
    all_vintages.prior_vintage,
    all_vintages.release_no::integer as release_no,
    all_vintages.is_revised,
    all_vintages.released_at,
    all_vintages.retrieved_at,
    all_vintages.ingested_at,
    all_vintages.run_id,
    all_vintages.change_sequence,
    (
        '0x'
        || left(
            sha256(
                concat_ws('|', series.source_id, series.indicator_id, series.entity_id, series.frequency, all_vintages.period, all_vintages.vintage)
            ),
            16
        )
    )::ubigint as id_hash,
    all_vintages.inputs,
    all_vintages.derived_from,
from derived.all_vintages
inner join derived.all_series as series using (series_no)
