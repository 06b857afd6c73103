-- Like is_in_part, for parts by series number. A scan of files skips row groups outside the range.
create or replace macro is_series_in_part(series_no) as (
    getvariable('first_of_part') is null
    or series_no between getvariable('first_of_part')::integer and getvariable('last_of_part')::integer
)
