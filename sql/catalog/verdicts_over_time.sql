-- The verdict on all rows of a series over time, as gatesOf in src/queries/panels finds it: one row per series and
-- interval [held_from, held_to) from `since` to `until`, in which budget and eligibility were the same. Moments are
-- microseconds since 1970, at whole milliseconds.
create or replace macro verdicts_over_time(since, until) as table
    with

    silences as (
        select
            series_no,
            epoch_ms(known_from) as known_from,
            epoch_ms((latest_period_end + 1)::timestamp) + round(budget_days * 86400000)::bigint as silent_until,
        from published.event_cadences
    ),

    budgets as (
        select series_no, epoch_ms(known_from) as known_from, budget_days from published.cadence_budgets
    ),

    turns as (
        select series_no, epoch_ms(since) as turn from published.series
        union
        select series_no, unnest([epoch_ms(ceased_at), epoch_ms(inputs_ceased_at)]) from published.series
        union
        select series_no, known_from from budgets
        union
        select series_no, unnest([known_from, silent_until + 1]) from silences
    ),

    judged as (
        select
            shown.series_no,
            turns.turn,
            lead(turns.turn) over (partition by shown.series_no order by turns.turn) as next_turn,
            coalesce(epoch_ms(shown.ceased_at) <= turns.turn, false) as is_ceased,
            coalesce(budgets.budget_days, shown.default_budget_days) as budget_days,
            (
                shown.may_be_scored
                and coalesce(epoch_ms(shown.ceased_at) > turns.turn, true)
                and coalesce(epoch_ms(shown.inputs_ceased_at) > turns.turn, true)
                and (shown.frequency <> 'event' or coalesce(turns.turn <= silences.silent_until, false))
            ) as is_eligible,
        from turns
        inner join shown_series() as shown using (series_no)
        asof left join budgets on budgets.series_no = turns.series_no and budgets.known_from <= turns.turn
        asof left join silences on silences.series_no = turns.series_no and silences.known_from <= turns.turn
        where turns.turn between epoch_ms(since) and epoch_ms(until)
    )

    select
        series_no,
        1000 * turn as held_from,
        1000 * coalesce(next_turn, epoch_ms(until) + 1) as held_to,
        is_ceased,
        if(is_ceased, null, budget_days) as budget_days,
        is_eligible,
    from judged
