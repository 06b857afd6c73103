-- The row of each slot (an entity and a factor) over time: of the newest rows of the slot's series known then, the preferred
-- one. Grain: slot and the moment held_from, from which the row was it until held_to. `moments` keeps only rows that were
-- the one at some of them; null keeps all.
-- Lists that belong together have the same order. Moments and gates are microseconds since 1970.
-- A gate is an interval of a series, [from, to), in which the verdict on all its rows was the same; without a budget (-1),
-- its rows are neither fresh nor stale. Two series of one slot compete; the lower preference wins.
create or replace macro preferred_over_time(
    candidate_nos,
    candidate_slots,
    candidate_preferences,
    candidate_sources,
    gate_nos,
    gate_from,
    gate_to,
    gate_eligible,
    gate_budgets,
    known_nos,
    since,
    until,
    period_from,
    first_nos,
    grade,
    projection_nos,
    moments
) as table
    with

    candidates as (
        select
            unnest(candidate_nos) as series_no,
            unnest(candidate_slots) as slot,
            unnest(candidate_preferences) as preference,
            unnest(candidate_sources) as source_order,
    ),

    gates as (
        select
            unnest(gate_nos) as series_no,
            unnest(gate_from) as gate_from,
            unnest(gate_to) as gate_to,
            unnest(gate_eligible) = 1 as is_eligible,
            unnest(gate_budgets) as budget,
    ),

    asked as (
        select unnest(moments) as moment,
    ),

    known as (
        from
            newest_over_time(
                series_nos := known_nos,
                since := since,
                until := until,
                period_from := period_from
            )
        union all by name
        from
            first_prints_over_time(
                series_nos := first_nos,
                since := since,
                until := until,
                period_from := period_from
            )
    ),

    bounded as (
        select
            *,
            greatest(epoch_us(known_from), epoch_us(since)) as begins,
            coalesce(epoch_us(known_to), 9223372036854775807) as ends,
        from known
        where knowledge_grade <= grade
    ),

    -- A row that no moment needs is dropped before it costs anything.
    needed as (
        from bounded
        where moments is null
        union all by name
        select bounded.*
        from bounded
        asof inner join asked on asked.moment >= bounded.begins
        where asked.moment < bounded.ends
    ),

    judged as (
        select
            needed.*,
            candidates.slot,
            candidates.preference,
            candidates.source_order,
            greatest(needed.begins, gates.gate_from) as judged_from,
            least(needed.ends, gates.gate_to) as judged_to,
            (
                gates.is_eligible
                and isfinite(needed.value)
                and not starts_with(needed.vintage, 'pseudo:')
                and not starts_with(needed.vintage, 'assumed:')
            ) as may_be_eligible,
            -- The first millisecond at which the row is stale.
            epoch_us(
                if(
                    series_no in (select unnest(projection_nos)),
                    (needed.observed_at at time zone 'UTC')::date,
                    needed.period_end
                )::timestamp
            )
            + 86400000000
            + nullif(gates.budget, -1)
            + 1000 as stale_from,
        from needed
        inner join candidates using (series_no)
        inner join gates using (series_no)
        where gates.gate_from < needed.ends and gates.gate_to > needed.begins
    ),

    verdicts as (
        select
            * exclude (judged_from, judged_to, may_be_eligible, stale_from),
            judged_from as held_from,
            least(judged_to, coalesce(stale_from, judged_to)) as held_to,
            may_be_eligible as is_eligible,
            if(stale_from is null, 'unknown', 'fresh') as freshness,
        from judged
        where stale_from is null or judged_from < stale_from
        union all by name
        select
            * exclude (judged_from, judged_to, may_be_eligible, stale_from),
            greatest(judged_from, stale_from) as held_from,
            judged_to as held_to,
            false as is_eligible,
            'stale' as freshness,
        from judged
        where judged_to > stale_from
    ),

    crowded as (
        select slot
        from candidates
        group by slot
        having count(*) > 1
    ),

    turns as (
        select
            slot,
            turn,
            lead(turn) over (partition by slot order by turn) as next_turn,
        from (
            select slot, held_from as turn
            from verdicts
            where slot in (select slot from crowded)
            union
            select slot, held_to
            from verdicts
            where slot in (select slot from crowded)
        )
    ),

    rivals as (
        select
            turns.turn,
            turns.next_turn,
            verdicts.*,
        from (
            select turns.*, candidates.series_no
            from turns
            inner join candidates using (slot)
            where turns.next_turn is not null
        ) as turns
        asof inner join verdicts on verdicts.series_no = turns.series_no and verdicts.held_from <= turns.turn
        where verdicts.held_to > turns.turn
        window
            in_preference as (
                partition by turns.slot, turns.turn
                order by is_eligible desc, preference, period_end desc, observed_at desc, retrieved_at desc, source_order, id_hash
            )
        qualify row_number() over in_preference = 1
    ),

    chosen as (
        select * exclude (turn, next_turn) replace (turn as held_from, next_turn as held_to)
        from rivals
        union all by name
        from verdicts
        where slot not in (select slot from crowded)
    )

    select * from chosen
