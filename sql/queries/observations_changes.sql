-- What entered the lake, in the order in which it did: every vintage as an insert, a revision or a retraction, beside the vintage it replaced.
select
    series_no,
    period,
    period_end,
    value,
    vintage,
    observed_at,
    released_at,
    retrieved_at,
    is_revised,
    release_no,
    id_hash,
    run_id,
    derived_from,
    change_sequence,
    ingested_at as changed_at,
    prior_vintage,
    prior_value,
    prior_observed_at is not null as has_prior,
from published.vintages
where
    series_no between $series_from::integer and $series_to::integer
    and ($series_nos::integer[] is null or series_no in (select unnest($series_nos::integer[])))
    and ($as_of::timestamptz is null or observed_at <= $as_of::timestamptz)
    and ($observed_to::timestamptz is null or observed_at <= $observed_to::timestamptz)
    and ($observed_from::timestamptz is null or observed_at >= $observed_from::timestamptz)
    and ($period_from::date is null or period_end >= $period_from::date)
    and ($period_to::date is null or period_end <= $period_to::date)
    and (not $numeric_only::boolean or value is not null)
    and ($release_number::integer is null or release_no = $release_number::integer)
    and case $vintage::varchar
        when 'latest' then known_to is null or known_to > least($as_of::timestamptz, $observed_to::timestamptz)
        when 'first' then prior_observed_at is null or prior_observed_at < $observed_from::timestamptz
        else true
    end
    and ($since::timestamptz is null or ingested_at >= $since::timestamptz)
    and ($after_sequence::bigint is null or (change_sequence, id_hash) > ($after_sequence::bigint, $after_id::ubigint))
order by change_sequence, id_hash
limit $limit::integer
