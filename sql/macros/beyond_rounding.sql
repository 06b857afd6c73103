-- A difference between two statements of one figure, or 0 where rounding explains it: half a cent of an amount a share, half a million or thousand
-- of an amount of money that is a whole number of them.
create or replace macro beyond_rounding(difference, value, is_per_share) as
if(
    round(abs(difference), 6)
    <= case when is_per_share then 0.005 when value % 1000000 = 0 then 500000 when value % 1000 = 0 then 500 else 0 end,
    0,
    difference
)
