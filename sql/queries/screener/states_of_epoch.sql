-- All states of one indicator within a calendar year, by series and time, unless there are more of them than `most`: then one more than that.
-- Instants are microseconds since 1970, the end of what goes on 1e18, which is after all of them.
with

-- A limit over an order costs by itself, and here many are never reached.
asked as (
    from published.states
    where epoch = $epoch::smallint and indicator_no = $indicator_no::integer
    limit $most::integer + 1
)

select
    series_no,
    epoch_us(known_from)::double as known_from,
    coalesce(epoch_us(known_to)::double, 1e18) as known_to,
    period,
    (period_end - date '1970-01-01')::integer as period_end,
    value,
    vintage,
    epoch_us(observed_at)::double as observed_at,
    epoch_us(retrieved_at)::double as retrieved_at,
from asked
order by series_no, asked.known_from
