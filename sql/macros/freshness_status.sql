-- Age = evaluation time − end of the period (UTC); age ≤ budget is fresh. Ceased or non-periodic series are unknown
-- (docs/reference/methods.md#freshness).
create or replace macro freshness_status(period_end, budget_days, is_ceased, evaluated_at) as
case
    when is_ceased or budget_days is null or period_end is null then 'unknown'
    when evaluated_at <= (period_end + 1)::timestamp at time zone 'UTC' + to_milliseconds(round(budget_days * 86400000)::bigint) then 'fresh'
    else 'stale'
end
