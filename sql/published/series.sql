-- The series catalogue: one row per series, with reach, cadence budget, tier, rights, and freshness at the snapshot's
-- knowledge cutoff. budget_days is the budget learned by then, else the default of the cadence. Eligibility and
-- preference belong to rows and are decided per request.
with

at_cutoff as (
    select
        all_series.*,
        statistics.* exclude (series_no, first_vintage_at, first_vintage_end),
        coalesce(learned.budget_days, all_series.default_budget_days) as budget_days,
        coalesce(all_series.ceased_at <= knowledge_cutoff(), false) as is_ceased,
    from derived.all_series
    inner join derived.series_statistics as statistics using (series_no)
    left join published.cadence_budgets as learned on learned.series_no = all_series.series_no and learned.known_to is null
)

select
    *,
    freshness_status(print_day(canonical_id, latest_period_end, latest_observed_at), budget_days, is_ceased, knowledge_cutoff()) as freshness_status,
from at_cutoff
order by series_no
