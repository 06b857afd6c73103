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
from asked_vintages(read_filters, numeric_only := $numeric_only::boolean)
where
    ($since::timestamptz is null or ingested_at >= $since::timestamptz)
    and ($after_sequence::bigint is null or (change_sequence, id_hash) > ($after_sequence::bigint, $after_id::ubigint))
order by change_sequence, id_hash
limit $limit::integer
