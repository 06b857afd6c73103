-- The ingestion runs behind the vintages, with the payload that each read: the link from a row to the publisher's very file.
select
    run_id, source_id, payload_id, key, sha256, bytes, media_type, address, http_status, etag, last_modified, retrieved_at, known_at,
    connector_version, code_revision, started_at, finished_at, status, error, rows_read, rows_written, rows_quarantined,
from series.runs
order by run_id
