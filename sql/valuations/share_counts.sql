-- The number of shares outstanding as known after each filing, on the basis of that day: of the cover page, else of the balance sheet, else the
-- weighted average of the newest quarter. One row per company and known_at. A count on a cover page that is twenty times the others, or a twentieth,
-- is in another scale (AMD, 2012: millions of the units); an old one of a company that has since stated its counts by class alone does not stand for
-- today's.
with

counts as (
    select distinct on (cik, known_at, metric) cik, known_at, metric, value, period_end, fact_ref
    from valuations.trailing_facts
    where
        is_in_part(cik)
        and (metric in ('shares_cover', 'shares_balance') or (metric = 'shares_weighted' and period_end - period_start between 70 and 120))
    order by cik, known_at, metric, period_end desc, fact_ref
)

select
    cik,
    known_at,
    max_by(counts.value, -preference) as shares,
    max_by(counts.period_end, -preference) as shares_date,
    max_by(fact_ref, -preference) as shares_ref,
from (
    select
        *,
        case metric when 'shares_cover' then 1 when 'shares_balance' then 2 else 3 end as preference,
        median(value) filter (where metric != 'shares_cover') over (partition by cik, known_at) as other_value,
        max(period_end) over (partition by cik, known_at) as newest_date,
    from counts
) as counts
where
    value > 0
    and period_end >= newest_date - 120
    and (metric != 'shares_cover' or other_value is null or value between other_value / 20 and other_value * 20)
group by all
