-- The place of a period among those of its frequency, so that a gap shows: of periods that follow each other by the calendar, so do the places.
-- A week is that of its last day, Monday to Sunday. Null for days, events and what is fixed, which follow no calendar.
create or replace macro calendar_place(frequency, period_end) as
case frequency
    when 'annual' then year(period_end)
    when 'quarterly' then 4 * year(period_end) + quarter(period_end)
    when 'monthly' then 12 * year(period_end) + month(period_end)
    when 'weekly' then (period_end - date '0001-01-01') // 7
end
