-- Records of a table that the archive gives and the whole files of their source do not hold.
select rebuilt.*
from rebuilt
anti join held
    on
    rebuilt.record_hash = held.record_hash
    and rebuilt.payload_id = held.payload_id
    and rebuilt.retrieved_at = held.retrieved_at
