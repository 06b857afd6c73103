-- The newest period with a value of each series among the requested vintages (see asked_vintages), with the previous
-- calendar period (for days and events, the previous row). previous: its value just before this vintage became known.
-- revised_previous: its value at this vintage, null if unchanged. Both are null over a gap, or if the value was
-- withdrawn by then. Periods before `history_from` are ignored. Grain: series.
create or replace macro newest_periods(
    series_from := 0,
    series_to := 2147483647,
    series_nos := null,
    as_of := null,
    observed_from := null,
    observed_to := null,
    period_from := null,
    period_to := null,
    release_number := null,
    backfill := null,
    chosen_vintage := 'latest',
    history_from := null
) as table
    with

    newest as (
        select
            series_no,
            period,
            period_end,
            value,
            vintage,
            observed_at,
            known_to,
            released_at,
            retrieved_at,
            is_revised,
            is_backfill,
            obs_status,
            release_no,
            run_id,
            source_run_id,
            id_hash,
            derived_from,
        from
            asked_vintages(
                series_from := series_from,
                series_to := series_to,
                series_nos := series_nos,
                as_of := as_of,
                observed_from := observed_from,
                observed_to := observed_to,
                period_from := period_from,
                period_to := period_to,
                release_number := release_number,
                numeric_only := true,
                backfill := backfill,
                chosen_vintage := chosen_vintage
            )
        qualify row_number() over (partition by series_no order by period_end desc, observed_at desc) = 1
    ),

    before as (
        select
            newest.series_no,
            max(earlier.period_end) as period_end,
        from newest
        inner join published.vintages as earlier
            on earlier.series_no = newest.series_no
            and earlier.period_end < newest.period_end
            and earlier.observed_at <= newest.observed_at
            and coalesce(earlier.known_to >= newest.observed_at, true)
            and earlier.value is not null
        inner join published.series
            on series.series_no = newest.series_no
            and (history_from is null or earlier.period_end >= history_from)
            and coalesce(
                calendar_place(series.frequency, earlier.period_end) = calendar_place(series.frequency, newest.period_end) - 1, true
            )
        group by all
    ),

    previous as (
        select
            newest.series_no,
            before.period_end,
            max(earlier.value) filter (
                where earlier.observed_at < newest.observed_at and coalesce(earlier.known_to >= newest.observed_at, true)
            ) as value_before,
            max(earlier.value) filter (where coalesce(earlier.known_to > newest.observed_at, true)) as value_after,
        from newest
        inner join before using (series_no)
        inner join published.vintages as earlier
            on earlier.series_no = before.series_no
            and earlier.period_end = before.period_end
            and earlier.observed_at <= newest.observed_at
        group by all
    )

    select
        newest.*,
        coalesce(previous.value_before, previous.value_after) as previous,
        if(
            previous.value_before is distinct from previous.value_after and previous.value_before is not null,
            previous.value_after,
            null
        ) as revised_previous,
        previous.period_end as previous_period_end,
    from newest
    left join previous using (series_no)
