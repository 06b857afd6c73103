-- The status of filers over time. One row per cik and change of status; it holds from known_from on. active: it has a
-- ticker. Without a ticker: acquired after an 8-K of item 2.01, delisted after a Form 15 or 25, unless it still
-- reported 100 days later; else unknown. Before the first file that states a filer's tickers it is unknown: a listed
-- company files a Form 25 too if its notes mature, and an 8-K of item 2.01 if it buys another.
with

ends as (
    select cik, filed, observed_at, if(starts_with(form, '8-K'), 'acquired', 'delisted') as status
    from lake.filings
    where
        regexp_matches(form, '^(15|15F|25)(-|/|$)')
        or (form in ('8-K', '8-K/A') and list_contains(string_split(replace(items, ' ', ''), ','), '2.01'))
),

reports as (
    select cik, filed, min(observed_at) as observed_at
    from lake.filings
    where is_periodic_form(form) and cik in (select cik from ends)
    group by all
),

stated as (
    select cik, min(observed_at) as stated_from
    from lake.companies
    where cik in (select cik from ends)
    group by all
),

moments as (
    select cik, claimed_from as moment from series.ticker_holders
    union
    select cik, held_to from series.ticker_holders
    where held_to is not null
    union
    select cik, stated_from from stated
    union
    select cik, observed_at from ends
    union
    select reports.cik, min(reports.observed_at)
    from ends
    inner join reports on reports.cik = ends.cik and reports.filed > ends.filed + 100
    group by ends.cik, ends.filed, reports.cik
),

held as (
    select moments.cik, moments.moment, bool_or(holders.held_to is null or holders.held_to > moments.moment) as is_active
    from moments
    inner join series.ticker_holders as holders on holders.cik = moments.cik and holders.claimed_from <= moments.moment
    group by all
),

ended as (
    select
        moments.cik,
        moments.moment,
        max(ends.filed) filter (where ends.status = 'acquired') as acquired_on,
        max(ends.filed) filter (where ends.status = 'delisted') as delisted_on,
    from moments
    inner join ends on ends.cik = moments.cik and ends.observed_at <= moments.moment
    where
        not exists (
            from reports
            where reports.cik = ends.cik and reports.filed > ends.filed + 100 and reports.observed_at <= moments.moment
        )
    group by all
),

judged as (
    select
        moments.cik,
        moments.moment,
        held.cik is not null as had_ticker,
        case
            when held.is_active then 'active'
            when stated.stated_from is null or moments.moment < stated.stated_from then 'unknown'
            when acquired_on >= coalesce(delisted_on - 100, acquired_on) then 'acquired'
            when delisted_on is not null then 'delisted'
            else 'unknown'
        end as status,
    from moments
    left join held using (cik, moment)
    left join ended using (cik, moment)
    left join stated using (cik)
)

select cik, moment as known_from, status, had_ticker
from judged
window moments as (partition by cik order by moment)
qualify status is distinct from lag(status) over moments
order by cik, known_from
