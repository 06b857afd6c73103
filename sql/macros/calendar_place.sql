-- Numbers the periods of a frequency, so that consecutive periods have consecutive numbers and a gap shows. A week has
-- the number of its last day's week, Monday to Sunday. Null for days, events and fixed facts, which follow no calendar.
create or replace macro calendar_place(frequency, period_end) as
case frequency
    when 'annual' then year(period_end)
    when 'quarterly' then 4 * year(period_end) + quarter(period_end)
    when 'monthly' then 12 * year(period_end) + month(period_end)
    when 'weekly' then (period_end - date '0001-01-01') // 7
end
