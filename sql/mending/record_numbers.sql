-- The shared change number of a commit's records, if intact files have some of them, by the number that the new reading
-- gave them. Null if records were not numbered yet. Grain: read_as.
select rebuilt_records.change_sequence as read_as, min(held_records.change_sequence) as change_sequence
from rebuilt_records
inner join held_records
    on
    rebuilt_records.table_name = held_records.table_name
    and rebuilt_records.record_hash = held_records.record_hash
    and rebuilt_records.payload_id = held_records.payload_id
    and rebuilt_records.retrieved_at = held_records.retrieved_at
group by rebuilt_records.change_sequence
