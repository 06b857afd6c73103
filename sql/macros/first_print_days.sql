-- Within how many days of its period's end a first vintage can be a first print: fixed by frequency, never learned. Null for what has no cadence.
create or replace macro first_print_days(frequency) as
case frequency
    when 'daily' then 30
    when 'weekly' then 90
    when 'monthly' then 129
    when 'quarterly' then 299
    when 'annual' then 999
    when 'event' then 90
end
