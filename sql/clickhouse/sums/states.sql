-- The twin of sql/sums/states.sql.
select
    toString(count()) as row_count,
    toString(sum(toInt128(epoch))) as epoch_sum,
    toString(sum(toInt128(indicator_no))) as indicator_no_sum,
    toString(sum(toInt128(series_no))) as series_no_sum,
    toString(sum(toInt128(period_end))) as period_end_sum,
    toString(count(known_from)) as known_from_count,
    toString(coalesce(sum(toInt128(known_from)), 0)) as known_from_sum,
    toString(count(known_to)) as known_to_count,
    toString(coalesce(sum(toInt128(known_to)), 0)) as known_to_sum,
    toString(count(observed_at)) as observed_at_count,
    toString(coalesce(sum(toInt128(observed_at)), 0)) as observed_at_sum,
    toString(count(retrieved_at)) as retrieved_at_count,
    toString(coalesce(sum(toInt128(retrieved_at)), 0)) as retrieved_at_sum,
    toString(count(value)) as value_count,
    minOrNull(value) as value_min,
    maxOrNull(value) as value_max,
    toString(coalesce(sum(toInt128(trunc(greatest(least(value, 1e15), -1e15) * 1024))), 0)) as value_sum,
    toString(coalesce(sum(toInt128(length(period))), 0)) as period_bytes,
    toString(coalesce(sum(toInt128(length(vintage))), 0)) as vintage_bytes
from {table:Identifier}
