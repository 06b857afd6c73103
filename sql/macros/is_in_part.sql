-- True if a row belongs to the part that is being built, by a text key (src/db/layers.ts). True for all rows if no part
-- is being built.
create or replace macro is_in_part(key) as (
    getvariable('first_of_part') is null
    or key between getvariable('first_of_part')::varchar and getvariable('last_of_part')::varchar
)
