-- The number of rows of periods without a first print that match the filters.
select count(*) as rows_left_out
from
    asked_vintages(
        series_from := $series_from::integer,
        series_to := $series_to::integer,
        series_nos := $series_nos::integer[],
        as_of := $as_of::timestamptz,
        observed_from := $observed_from::timestamptz,
        observed_to := $observed_to::timestamptz,
        period_from := $period_from::date,
        period_to := $period_to::date,
        release_number := $release_number::integer,
        numeric_only := $numeric_only::boolean,
        backfill := $backfill::boolean,
        chosen_vintage := $vintage::varchar
    )
