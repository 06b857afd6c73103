-- Every vintage of every observation. One file per dataset (a source or a derived indicator), sorted by series_no,
-- period_end, observed_at, so that a series is in one place. [observed_at, known_to) is the interval in which the row
-- was the newest known of its period: `observed_at <= t and (known_to is null or known_to > t)` answers "as of t"
-- without aggregation. id_hash: the first 64 bits of the observationId. obs_status comes from the payload that stated
-- the value first: another flag for the same value is no vintage.
-- is_backfill: the period has no first print. A projection never has one; a value dated by its publication rule is one.
-- For others, the period has none if its first vintage came later than its frequency allows, is a pseudo vintage, or
-- belongs to the series' first vintage without being its newest period. So the start of an archive and a first download
-- bring one first print.
-- knowledge_grade: 1 if the publisher, the day of an archive or a publication rule dates the row; 2 if it is known from its
-- retrieval, from an edition that names only its month, or if a rule would date a corrected value; 3 if the time is
-- assumed. A derived row has the grade of the input that became known last.
with editions as (
    select runs.run_id
    from series.runs
    inner join reference.sources using (source_id)
    where sources.vintages_dated_to = 'month'
)

select
    all_vintages.series_no,
    all_vintages.period,
    all_vintages.period_start,
    all_vintages.period_end,
    all_vintages.value,
    all_vintages.value_text,
    all_vintages.obs_status,
    all_vintages.metadata,
    all_vintages.vintage,
    all_vintages.observed_at,
    all_vintages.known_to,
    all_vintages.prior_observed_at,
    all_vintages.prior_value,
    all_vintages.prior_vintage,
    all_vintages.release_no::integer as release_no,
    all_vintages.is_revised,
    is_projection(series.canonical_id)
    or starts_with(all_vintages.first_vintage, 'pseudo:')
    or coalesce(
        (all_vintages.first_observed_at at time zone 'UTC')::date - all_vintages.period_end > first_print_days(series.frequency), false
    )
    or (
        all_vintages.first_observed_at = statistics.first_vintage_at
        and all_vintages.period_end <> statistics.first_vintage_end
        and not (ruled.series_no is not null and coalesce(all_vintages.first_observed_at < all_vintages.first_retrieved_at, false))
    ) as is_backfill,
    case
        when
            starts_with(all_vintages.vintage, 'pseudo:')
            or coalesce(list_bool_or(list_transform(all_vintages.inputs, lambda input: starts_with(input.vintage, 'pseudo:'))), false)
            then 3
        when
            editions.run_id is not null
            or all_vintages.observed_at >= all_vintages.retrieved_at
            or (ruled.series_no is not null and all_vintages.release_no > 1)
            then 2
        else 1
    end::utinyint as knowledge_grade,
    all_vintages.released_at,
    all_vintages.retrieved_at,
    all_vintages.ingested_at,
    all_vintages.run_id,
    if(all_vintages.inputs is null, all_vintages.run_id, all_vintages.source_run_id) as source_run_id,
    all_vintages.input_run_ids,
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
inner join derived.series_statistics as statistics using (series_no)
left join derived.ruled_series as ruled using (series_no)
left join editions on editions.run_id = coalesce(all_vintages.source_run_id, all_vintages.run_id)
