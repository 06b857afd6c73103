-- Staged records whose content is new in the lake (`lake_records`: those of the source).
select record_hash, min(row_no) as row_no
from hashed
anti join lake_records using (record_hash)
group by record_hash
