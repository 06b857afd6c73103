-- An ingestion run with the payload that it read.
select
    run_id, source_id, payload_id, key, sha256, bytes, media_type, address, http_status, etag, last_modified, retrieved_at, known_at,
    connector_version, code_revision, started_at, finished_at, status, error, rows_read, rows_written, rows_quarantined,
from published.runs
where run_id = $run_id::varchar
