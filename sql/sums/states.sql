-- Sums that the files of published.states and the table filled from them must share. They add whole numbers, so the
-- order does not matter.
select
    count(*)::varchar as row_count,
    coalesce(sum(epoch::hugeint), 0)::varchar as epoch_sum,
    coalesce(sum(indicator_no::hugeint), 0)::varchar as indicator_no_sum,
    coalesce(sum(series_no::hugeint), 0)::varchar as series_no_sum,
    coalesce(sum(period_end - date '1970-01-01'), 0)::varchar as period_end_sum,
    count(known_from)::varchar as known_from_count,
    coalesce(sum(epoch_us(known_from)), 0)::varchar as known_from_sum,
    count(known_to)::varchar as known_to_count,
    coalesce(sum(epoch_us(known_to)), 0)::varchar as known_to_sum,
    count(observed_at)::varchar as observed_at_count,
    coalesce(sum(epoch_us(observed_at)), 0)::varchar as observed_at_sum,
    count(retrieved_at)::varchar as retrieved_at_count,
    coalesce(sum(epoch_us(retrieved_at)), 0)::varchar as retrieved_at_sum,
    count(value)::varchar as value_count,
    min(value) as value_min,
    max(value) as value_max,
    coalesce(sum(trunc(greatest(least(value, 1e15), -1e15) * 1024)::hugeint), 0)::varchar as value_sum,
    coalesce(sum(strlen(period)), 0)::varchar as period_bytes,
    coalesce(sum(strlen(vintage)), 0)::varchar as vintage_bytes,
from filled
