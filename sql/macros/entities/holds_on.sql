-- True if a fact with the days valid_from to valid_to holds on that day. Both are inclusive; null is open.
create or replace macro holds_on(valid_from, valid_to, day) as (valid_from is null or valid_from <= day) and (valid_to is null or valid_to >= day)
