-- Whether what holds from one day to another, both included and null if open, holds on that day.
create or replace macro holds_on(valid_from, valid_to, day) as (valid_from is null or valid_from <= day) and (valid_to is null or valid_to >= day)
