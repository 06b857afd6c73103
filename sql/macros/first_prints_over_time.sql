-- The newest first print of series over time: one row per state of a series, [known_from, known_to), in which that first
-- print was the one of its newest period. Backfills have none. Bounds and columns as in newest_over_time.
create or replace macro first_prints_over_time(series_nos := null, since := null, until := null, period_from := null) as table
    with

    prints as (
        select
            series_no,
            period,
            period_end,
            value,
            vintage,
            observed_at,
            retrieved_at,
            release_no,
            is_revised,
            is_backfill,
            knowledge_grade,
            id_hash,
            max(period_end) over (
                partition by series_no order by observed_at, period_end rows between unbounded preceding and 1 preceding
            ) as newest_before,
        from published.vintages
        where
            (series_nos is null or series_no in (select unnest(series_nos)))
            and (until is null or observed_at <= until)
            and (period_from is null or period_end >= period_from)
            and prior_observed_at is null
            and not is_backfill
            and value is not null
    ),

    states as (
        select
            * exclude (newest_before),
            observed_at as known_from,
            lead(observed_at) over (partition by series_no order by observed_at, period_end) as known_to,
        from prints
        where period_end > coalesce(newest_before, '-infinity')
    )

    select *
    from states
    where known_from < coalesce(known_to, 'infinity') and (since is null or known_to is null or known_to > since)
