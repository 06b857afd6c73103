-- The changes of a source whose numbers were lost: one per observation and one for the records of a commit, with the
-- time at which they entered and the number that the new reading gave them. Records that are older than some without a
-- number had no number. Grain: read_as.
select change_sequence as read_as, ingested_at as read_at, false as are_records
from missing_observations
union all
select distinct missing_records.change_sequence, replayed_runs.read_at, true
from missing_records
inner join replayed_runs
    on missing_records.change_sequence between replayed_runs.first_number and replayed_runs.last_number
anti join record_numbers on record_numbers.read_as = missing_records.change_sequence
where
    missing_records.change_sequence > coalesce((
        select max(read_as) from record_numbers
        where change_sequence is null
    ), 0)
