-- The place of the same period a year before (see calendar_place). For a week: the week with the same number. -1 if
-- that year has no such week.
create or replace macro place_a_year_before(frequency, period_end) as
case frequency
    when 'annual' then calendar_place('annual', period_end) - 1
    when 'quarterly' then calendar_place('quarterly', period_end) - 4
    when 'monthly' then calendar_place('monthly', period_end) - 12
    when 'weekly' then
        case weekofyear(period_end)
            when weekofyear(period_end - 364) then calendar_place('weekly', period_end) - 52
            when weekofyear(period_end - 371) then calendar_place('weekly', period_end) - 53
            else -1
        end
end
