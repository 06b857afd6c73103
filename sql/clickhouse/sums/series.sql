-- The twin of sql/sums/series.sql.
select
    toString(count()) as row_count,
    toString(sum(toInt128(series_no))) as series_no_sum,
    toString(coalesce(sum(toInt128(length(indicator_id))), 0)) as indicator_id_bytes,
    toString(coalesce(sum(toInt128(length(frequency))), 0)) as frequency_bytes
from {table:Identifier}
