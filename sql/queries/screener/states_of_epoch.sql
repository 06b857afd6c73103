-- All states of one indicator in a calendar year, by series and time. If there are more than `most`, one more than
-- that. Instants are microseconds since 1970. The end of an open state is 1e18, later than all of them.
with

-- A limit over a sort is expensive, so count before it.
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
