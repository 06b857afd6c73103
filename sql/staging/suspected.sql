-- A cheap test if a payload may have to be held back, see jumps.sql. True if in some series at least four periods (more
-- than half of the required six) have values of which one is ten times another, or of both signs, or zero.
with

cells as (
    select series_ix, period_end, min(value) as lowest, max(value) as highest
    from (
        select series_ix, period_end, value from staged.judged
        where rule is null
        union all
        select series_ix, period_end, value from staged.known
    )
    group by all
)

select coalesce(max(periods) >= 4, false) as is_suspected
from (
    select series_ix, count(*) as periods
    from cells
    where (lowest <= 0 and highest >= 0) or greatest(abs(lowest), abs(highest)) >= 9 * least(abs(lowest), abs(highest))
    group by all
)
