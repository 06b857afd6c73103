-- The holders of tickers by today's knowledge. One row per ticker and holding: during [held_from, held_to). held_from
-- is null if it has no bound, held_to null while it lasts. It serves look-ups and the join of quotes. Rows show a
-- ticker from claimed_from on, the retrieval of the list that gave it. The first holding of a filer reaches back to its
-- first filing, but not into a known holding of another filer.
with

claims as (from ticker_claims('lake.companies', 'lake.ingestions')),

filed as (
    select cik, min(filed)::timestamp at time zone 'UTC' as first_filed_at
    from (
        select cik, filed from lake.filings
        union all
        select cik, filed from lake.facts
    )
    where cik in (select cik from claims)
    group by all
),

ordered as (
    select
        claims.*,
        filed.first_filed_at,
        lag(claimed_to) over (partition by ticker order by claimed_from) as held_before_to,
        row_number() over (partition by ticker, claims.cik order by claimed_from) as holding_no,
    from claims
    left join filed using (cik)
)

select
    ticker,
    cik,
    'company_' || cik as entity_id,
    if(holding_no = 1, least(claimed_from, greatest(first_filed_at, held_before_to)), claimed_from) as held_from,
    claimed_from,
    claimed_to as held_to,
    places,
from ordered
order by ticker, claimed_from
