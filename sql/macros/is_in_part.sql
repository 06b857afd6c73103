-- Whether a row is of the part that is being made, of a table that is made part by part (src/db/layers.ts), by a key that is text; all rows are
-- where none is being made.
create or replace macro is_in_part(key) as (
    getvariable('first_of_part') is null
    or key between getvariable('first_of_part')::varchar and getvariable('last_of_part')::varchar
)
