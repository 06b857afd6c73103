-- Sums that the files of published.series and the table filled from them must share. They add whole numbers, so the
-- order does not matter.
select
    count(*)::varchar as row_count,
    coalesce(sum(series_no::hugeint), 0)::varchar as series_no_sum,
    coalesce(sum(strlen(indicator_id)), 0)::varchar as indicator_id_bytes,
    coalesce(sum(strlen(frequency)), 0)::varchar as frequency_bytes,
from filled
