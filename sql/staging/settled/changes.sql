-- The last change number after the observations to append, and their oldest knowledge time.
select
    coalesce(max(change_sequence), getvariable('last_change_sequence')::bigint) as last_change_sequence,
    min(observed_at) as earliest_observed_at,
from staged.appended
