-- Where a page by period ends: the first period, in the requested order, at whose end the count of vintages exceeds
-- `most`, and the count before that period. Vintages of the period in which the page begins (begun) do not count,
-- because some may come before the page. No row if there are not so many.
with

counted as (
    select
        period_end,
        count(*) as vintages,
        (period_end - date '1970-01-01') * $direction::integer as place,
    from asked_vintages(read_filters, numeric_only := $numeric_only::boolean)
    where period_end is distinct from $begun::date
    group by period_end
),

summed as (
    select
        period_end,
        place,
        vintages,
        sum(vintages) over (order by place rows unbounded preceding) as vintages_up_to,
    from counted
)

select
    period_end,
    (vintages_up_to - vintages)::bigint as vintages_before,
from summed
where vintages_up_to > $most::integer
order by place
limit 1
