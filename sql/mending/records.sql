-- Records of a table that are in the archive but not in the intact files of their source.
select rebuilt.*
from rebuilt
anti join held
    on
    rebuilt.record_hash = held.record_hash
    and rebuilt.payload_id = held.payload_id
    and rebuilt.retrieved_at = held.retrieved_at
