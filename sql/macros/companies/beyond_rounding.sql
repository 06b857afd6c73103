-- The difference between two statements of one figure, or 0 if rounding explains it. Rounding is half a cent for an
-- amount per share, and half a million or half a thousand for a whole number of millions or thousands.
create or replace macro beyond_rounding(difference, value, is_per_share) as
if(
    round(abs(difference), 6)
    <= case when is_per_share then 0.005 when value % 1000000 = 0 then 500000 when value % 1000 = 0 then 500 else 0 end,
    0,
    difference
)
