-- The twin of sql/queries/screener/states.sql: the newest value of each series of some indicators, as known at the cutoff.
select
    series_no,
    period,
    period_end,
    value,
    vintage,
    observed_at,
    retrieved_at
from {states:Identifier}
where
    epoch = {epoch:UInt16}
    and indicator_no between {first_no:UInt32} and {last_no:UInt32}
    and has({indicator_nos:Array(UInt32)}, indicator_no)
    and known_from <= {as_of:Int64}
    and (known_to is null or known_to > {as_of:Int64})
    and period_end >= {period_from:Int32}
