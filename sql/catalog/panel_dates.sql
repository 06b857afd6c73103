-- The dates of a panel from one day to another, both included: every day, business_day (Monday to Friday), week
-- (Fridays), month_end or quarter_end.
create or replace macro panel_dates("from", "to", every) as table
    select day::date as day
    from range("from"::date::timestamp, "to"::date::timestamp + interval 1 day, interval 1 day) as days (day)
    where
        case every
            when 'day' then true
            when 'business_day' then isodow(day) <= 5
            when 'week' then isodow(day) = 5
            when 'month_end' then day::date = last_day(day)
            when 'quarter_end' then day::date = last_day(day) and month(day) % 3 = 0
            else error('Unknown dates: ' || every || '. Send day, business_day, week, month_end or quarter_end.')
        end
    order by day
