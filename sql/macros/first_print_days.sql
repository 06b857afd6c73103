-- A first vintage can be a first print within this many days after the end of its period. The number is fixed per
-- frequency, never learned. Null without a cadence.
create or replace macro first_print_days(frequency) as
case frequency
    when 'daily' then 30
    when 'weekly' then 90
    when 'monthly' then 129
    when 'quarterly' then 299
    when 'annual' then 999
    when 'event' then 90
end
