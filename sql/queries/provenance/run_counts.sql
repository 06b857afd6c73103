-- How many rows of periods that end on or after a day a run wrote and quarantined. Its series lie between two numbers.
select
    (
        select count(*)
        from published.vintages
        where
            series_no between $series_from::integer and $series_to::integer
            and period_end >= $period_from::date
            and run_id = $run_id::varchar
    ) as rows_written,
    (
        select count(*)
        from published.quarantine
        where run_id = $run_id::varchar and period_end >= $period_from::date
    ) as rows_quarantined,
