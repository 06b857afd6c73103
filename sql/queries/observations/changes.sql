-- The changes of the lake in their order: every vintage as an insert, a revision or a retraction, with the vintage that
-- it replaced.
select
    series_no,
    period,
    period_end,
    value,
    vintage,
    observed_at,
    known_to,
    released_at,
    retrieved_at,
    is_revised,
    is_backfill,
    obs_status,
    release_no,
    id_hash,
    source_run_id,
    derived_from,
    change_sequence,
    ingested_at as changed_at,
    prior_vintage,
    prior_value,
    prior_observed_at is not null as has_prior,
from
    asked_vintages(
        series_from := $series_from::integer,
        series_to := $series_to::integer,
        series_nos := $series_nos::integer[],
        as_of := $as_of::timestamptz,
        observed_from := $observed_from::timestamptz,
        observed_to := $observed_to::timestamptz,
        period_from := $period_from::date,
        period_to := $period_to::date,
        release_number := $release_number::integer,
        numeric_only := $numeric_only::boolean,
        backfill := $backfill::boolean,
        chosen_vintage := $vintage::varchar
    )
where
    ($since::timestamptz is null or ingested_at >= $since::timestamptz)
    and ($after_sequence::bigint is null or (change_sequence, id_hash) > ($after_sequence::bigint, $after_id::ubigint))
order by change_sequence, id_hash
limit $limit::integer
