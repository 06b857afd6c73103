-- The learned cadence budgets of each series, oldest first. Grain: series_no.
select
    series_no,
    list(epoch_ms(known_from) order by known_from) as known_from,
    list(budget_days order by known_from) as days,
from published.cadence_budgets
group by series_no
