-- The day in the middle of a period, as in src/model/panel.ts. Of an even number of days it is the earlier one. A day that is
-- the n-th of its period is n // 2 days after the middle.
create or replace macro middle_of_period(frequency, period_end) as (
    period_end - (
        case frequency
            when 'annual' then dayofyear(period_end)
            when 'quarterly' then date_diff('day', date_trunc('quarter', period_end), period_end) + 1
            when 'monthly' then day(period_end)
            when 'weekly' then 7
            else 1
        end // 2
    )::integer
)
