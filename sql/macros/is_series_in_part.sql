-- The same of a table that is made part by part of series, by their numbers: a scan of files leaves out what lies beyond.
create or replace macro is_series_in_part(series_no) as (
    getvariable('first_of_part') is null
    or series_no between getvariable('first_of_part')::integer and getvariable('last_of_part')::integer
)
