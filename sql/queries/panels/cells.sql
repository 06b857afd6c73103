-- The rows of slots that were the preferred ones at some of the moments, see preferred_over_time. Grain: slot and the moment
-- from which the row was it.
select
    slot,
    series_no,
    held_from,
    held_to,
    period,
    period_end,
    value,
    vintage,
    observed_at,
    release_no,
    is_revised,
    is_backfill,
    knowledge_grade as grade,
    freshness,
    is_eligible,
from
    preferred_over_time(
        candidate_nos := $candidate_nos::integer[],
        candidate_slots := $candidate_slots::integer[],
        candidate_preferences := $candidate_preferences::integer[],
        candidate_sources := $candidate_sources::integer[],
        gate_nos := $gate_nos::integer[],
        gate_from := $gate_from::bigint[],
        gate_to := $gate_to::bigint[],
        gate_eligible := $gate_eligible::integer[],
        gate_budgets := $gate_budgets::bigint[],
        known_nos := $known_nos::integer[],
        since := $since::timestamptz,
        until := $until::timestamptz,
        period_from := $period_from::date,
        first_nos := $first_nos::integer[],
        grade := $grade::integer,
        projection_nos := $projection_nos::integer[],
        moments := $moments::bigint[]
    )
where is_eligible or not $is_eligible_only::boolean
order by slot, held_from
