-- The newest value of series over time: one row per state of a series, [known_from, known_to), in which its newest
-- period in force with a value and that vintage of it were the same. If you bound knowledge
-- time (`since`, `until`), you get the states of that time, and known_from is `since` at the earliest. Null means no
-- bound. `period_from` drops periods that end earlier.
create or replace macro newest_over_time(series_nos := null, since := null, until := null, period_from := null) as table
    with

    asked as (
        select
            series_no,
            period,
            period_end,
            value,
            vintage,
            observed_at,
            known_to,
            retrieved_at,
            prior_value,
            release_no,
            is_revised,
            is_backfill,
            knowledge_grade,
            id_hash,
        from published.vintages
        where
            (series_nos is null or series_no in (select unnest(series_nos)))
            and (until is null or observed_at <= until)
            and (since is null or known_to is null or known_to > since)
            and (period_from is null or period_end >= period_from)
    ),

    withdrawals as (
        select series_no, period_end, observed_at
        from asked
        where value is null
    ),

    -- A period is in force from a value after none until the next withdrawal.
    holds as (
        select
            starts.series_no,
            starts.period_end,
            coalesce(greatest(starts.observed_at, since), starts.observed_at) as held_from,
            min(withdrawals.observed_at) as held_to,
        from asked as starts
        left join withdrawals
            on withdrawals.series_no = starts.series_no
            and withdrawals.period_end = starts.period_end
            and withdrawals.observed_at > starts.observed_at
        where starts.value is not null and (starts.prior_value is null or coalesce(starts.observed_at <= since, false))
        group by all
    ),

    reaches as (
        select
            *,
            -- The time at which a later period, or this one again, comes into force.
            min(held_from) over (
                partition by series_no order by period_end, held_from rows between 1 following and unbounded following
            ) as passed_at,
        from holds
    ),

    -- If the furthest period is withdrawn, an earlier one is the newest until a further one comes into force.
    gaps as (
        select series_no, held_to as gap_from, passed_at as gap_to
        from reaches
        where held_to < coalesce(passed_at, 'infinity')
    ),

    turns as (
        select series_no, gap_from, gap_to, gap_from as turned_at
        from gaps
        union
        select series_no, gaps.gap_from, gaps.gap_to, unnest([holds.held_from, holds.held_to])
        from gaps inner join holds using (series_no)
    ),

    resurfaced as (
        select
            turns.series_no,
            max(holds.period_end) as period_end,
            turns.turned_at as newest_from,
            coalesce(
                lead(turns.turned_at) over (partition by turns.series_no, turns.gap_from order by turns.turned_at), turns.gap_to
            ) as newest_to,
        from turns
        left join holds
            on holds.series_no = turns.series_no
            and holds.held_from <= turns.turned_at
            and coalesce(holds.held_to > turns.turned_at, true)
        where turns.turned_at >= turns.gap_from and turns.turned_at < coalesce(turns.gap_to, 'infinity')
        group by turns.series_no, turns.gap_from, turns.gap_to, turns.turned_at
    ),

    newest as (
        select series_no, period_end, held_from as newest_from, least(held_to, passed_at) as newest_to
        from reaches
        where held_from < coalesce(passed_at, 'infinity')
        union all
        select series_no, period_end, newest_from, newest_to
        from resurfaced
        where period_end is not null
    )

    select
        newest.series_no,
        asked.period,
        newest.period_end,
        asked.value,
        asked.vintage,
        asked.observed_at,
        asked.retrieved_at,
        asked.release_no,
        asked.is_revised,
        asked.is_backfill,
        asked.knowledge_grade,
        asked.id_hash,
        greatest(newest.newest_from, asked.observed_at) as known_from,
        least(newest.newest_to, asked.known_to) as known_to,
    from newest
    inner join asked using (series_no, period_end)
    where
        asked.value is not null
        and asked.observed_at < coalesce(newest.newest_to, 'infinity')
        and newest.newest_from < coalesce(asked.known_to, 'infinity')
