-- Series that this run stages for the first time, with the next numbers.
with

staged_series as (
    select distinct indicator_id, resolved_frequency as frequency
    from staged.series
    where indicator_id is not null and resolved_frequency is not null
)

select (select count(*) from standing.series) + row_number() over (order by indicator_id, frequency) as series_no, indicator_id, frequency
from staged_series
anti join standing.series using (indicator_id, frequency)
