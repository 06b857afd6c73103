-- The moments at which another row of a slot, or another eligibility of it, began. Grain: slot and moment.
-- Moments are microseconds since 1970. A stay is an interval of days, both included, in which a slot is part of the panel.
with

stays as (
    select
        unnest($stay_slots::integer[]) as slot,
        unnest($stay_from::date[]) as stay_from,
        unnest($stay_to::date[]) as stay_to,
),

chosen as (
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
            moments := null
        )
),

-- A row ends where the slot leaves the panel.
staying as (
    select
        chosen.* exclude (held_from, held_to),
        greatest(chosen.held_from, epoch_us(stays.stay_from::timestamp)) as held_from,
        least(chosen.held_to, epoch_us((stays.stay_to + 1)::timestamp)) as held_to,
    from chosen
    inner join stays using (slot)
    where
        chosen.held_from < epoch_us((stays.stay_to + 1)::timestamp)
        and chosen.held_to > epoch_us(stays.stay_from::timestamp)
),

after_others as (
    select
        *,
        lag(held_to) over in_order as previous_held_to,
        lag(id_hash) over in_order as previous_hash,
        lag(is_eligible) over in_order as was_eligible,
    from staying
    window in_order as (partition by slot order by held_from)
),

compared as (
    select
        * exclude (previous_held_to, previous_hash, was_eligible),
        (
            (previous_held_to is distinct from held_from)
            or (previous_hash is distinct from id_hash)
            or (was_eligible is distinct from is_eligible)
        ) as is_change,
    from after_others
),

numbered as (
    select
        *,
        sum(is_change::integer) over (partition by slot order by held_from) as run_no,
    from compared
),

changes as (
    select
        * exclude (is_change, run_no, held_to),
        max(held_to) over (partition by slot, run_no) as held_to,
    from numbered
    qualify is_change
)

select
    make_timestamp(held_from)::date as day,
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
from changes
where
    held_from <= epoch_us($until::timestamptz)
    and (is_eligible or not $is_eligible_only::boolean)
    and (
        $after_day::date is null
        or (make_timestamp(held_from)::date, slot, held_from) > ($after_day::date, $after_slot::integer, $after_moment::bigint)
    )
order by day, slot, held_from
limit $limit::integer
