-- Staged records with a content that the lake's records of the source (`lake_records`) do not have.
select record_hash, min(row_no) as row_no
from hashed
anti join lake_records using (record_hash)
group by record_hash
