-- The versions of central banks' policy statements and minutes, by country. One row per source_id, document_id and
-- version_at, the time at which that text became known. A text that replaces another is known from its retrieval,
-- whatever time it states.
with

texts as (
    select
        *,
        lag(text) over versions as text_before,
        row_number() over versions as version_no,
    from lake.documents
    where document_type in ('policy_statement', 'minutes')
    window versions as (partition by source_id, document_id order by retrieved_at, observed_at, record_hash)
),

versions as (
    select
        texts.source_id,
        texts.document_id,
        texts.entity_id as bank_id,
        banks.parent_entity_id as entity_id,
        texts.document_type,
        texts.url,
        texts.text,
        'sha256:' || sha256(texts.text) as document_hash,
        first_value(texts.released_at) over (partition by texts.source_id, texts.document_id order by version_no) as released_at,
        (first_value(texts.released_at) over (partition by texts.source_id, texts.document_id order by version_no) at time zone 'UTC')::date
            as release_date,
        if(version_no = 1, texts.observed_at, greatest(texts.observed_at, texts.retrieved_at)) as version_at,
        texts.retrieved_at,
        coalesce(arrivals.ingested_at, texts.retrieved_at) as ingested_at,
        coalesce(texts.change_sequence, arrivals.change_sequence, 0) as change_sequence,
        texts.run_id,
    from texts
    inner join reference.entities as banks on banks.entity_id = texts.entity_id
    left join series.arrivals using (run_id)
    where version_no = 1 or texts.text is distinct from texts.text_before
)

from versions
