-- The number of shares outstanding as known after each filing, on the basis of that day, from three witnesses: the
-- cover page, the balance sheet, and net income over diluted earnings per share of the newest period (the weighted
-- average if earnings are below 5 cents per share).
-- Two witnesses agree within a factor of 1.5. Of those that agree with another, the first counts; for the third
-- witness, the weighted average counts. A single witness is accepted. If there are several and none agree, shares is
-- null and is_uncertain is true. One that disagrees with two that agree is refused. A count older than 120 days is
-- ignored if there are newer ones. One row per company and known_at.
with

counts as (
    select distinct on (cik, known_at, metric) cik, known_at, metric, value, period_end, fact_ref
    from valuations.trailing_facts
    where
        is_in_part(cik)
        and (metric in ('shares_cover', 'shares_balance') or (metric = 'shares_weighted' and period_end - period_start between 70 and 120))
        and value > 0
    order by cik, known_at, metric, period_end desc, fact_ref
),

earned as (
    select distinct on (eps.cik, eps.known_at) eps.cik, eps.known_at, income.value / eps.value as value, eps.period_end
    from valuations.trailing_facts as eps
    inner join valuations.trailing_facts as income using (cik, known_at, period_start, period_end)
    where
        is_in_part(eps.cik) and is_in_part(income.cik)
        and eps.metric = 'eps_diluted' and abs(eps.value) >= 0.05
        and income.metric in ('net_income_to_common', 'net_income')
        and income.value / eps.value > 0
    order by eps.cik, eps.known_at, eps.period_end desc, eps.period_start, income.metric != 'net_income_to_common', eps.rank, income.rank
),

witnesses as (
    select
        cik,
        known_at,
        if(counts.metric = 'shares_weighted', coalesce(earned.value, counts.value), counts.value) as said,
        counts.value,
        if(counts.metric = 'shares_weighted', coalesce(earned.period_end, counts.period_end), counts.period_end) as period_end,
        fact_ref,
        case counts.metric when 'shares_cover' then 1 when 'shares_balance' then 2 else 3 end as place,
        case counts.metric
            when 'shares_cover' then 'cover'
            when 'shares_balance' then 'balanceSheet'
            else if(earned.value is null, 'weighted', 'earnings')
        end as witness,
        greatest(max(counts.period_end) over (partition by cik, known_at), earned.period_end) as newest_date,
    from counts
    left join earned using (cik, known_at)
    union all
    select cik, known_at, earned.value, earned.value, earned.period_end, null, 3, 'earnings', earned.period_end
    from earned
    anti join (
        from counts
        where metric = 'shares_weighted'
    ) as weighted
        using (cik, known_at)
),

standing as (
    select * from witnesses
    where period_end >= newest_date - 120
),

compared as (
    select
        one.cik,
        one.known_at,
        one.place,
        count(other.place) as others,
        count(other.place) filter (where greatest(one.said, other.said) <= 1.5 * least(one.said, other.said)) as agreeing,
    from standing as one
    left join standing as other on other.cik = one.cik and other.known_at = one.known_at and other.place != one.place
    group by all
),

judged as (
    select standing.*, others = 0 or agreeing > 0 as is_taken, max(agreeing) over (partition by cik, known_at) > 0 and agreeing = 0 as is_refused
    from standing
    inner join compared using (cik, known_at, place)
)

select
    cik,
    known_at,
    first(value order by place) filter (where is_taken) as shares,
    first(period_end order by place) filter (where is_taken) as shares_date,
    first(fact_ref order by place) filter (where is_taken) as shares_ref,
    not bool_or(is_taken) as is_uncertain,
    list({ witness: witness, shares: said, as_of: period_end, refused: is_refused } order by place) as witnesses,
from judged
group by all
