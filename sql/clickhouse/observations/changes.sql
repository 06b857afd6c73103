-- The twin of sql/queries/observations/changes.sql: the changes of the lake in their order.
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
    prior_observed_at is not null as has_prior
from asked_vintages
where
    (not {numeric_only:Bool} or value is not null)
    and ({since:Nullable(Int64)} is null or ingested_at >= {since:Nullable(Int64)})
    and (
        {after_sequence:Nullable(UInt64)} is null
        or change_sequence > {after_sequence:Nullable(UInt64)}
        or (change_sequence = {after_sequence:Nullable(UInt64)} and id_hash > {after_id:Nullable(UInt64)})
    )
order by change_sequence, id_hash
limit {limit:UInt32}
