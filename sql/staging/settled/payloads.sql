-- Counts of each payload: rows to append (`written_rows`) and rows held back, and the newest knowledge time of an
-- observation. Grain: payload_no.
with

written as (
    select payload_id, count(*) as rows_written
    from written_rows
    group by payload_id
),

held as (
    select payload_id, count(*) as rows_held
    from staged.judged
    inner join staged.held using (payload_no, series_ix)
    inner join staged.payloads using (payload_no)
    where rule is null
    group by payload_id
),

newest as (
    select payload_no, max(observed_at) as newest_observed_at
    from staged.observations
    group by payload_no
)

select
    coalesce(rows_written, 0) as rows_written,
    coalesce(rows_held, 0) as rows_held,
    newest_observed_at,
from staged.payloads
left join written using (payload_id)
left join held using (payload_id)
left join newest using (payload_no)
order by payload_no
