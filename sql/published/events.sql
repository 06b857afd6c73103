-- Official events: what central banks published, and current reports (8-K) that companies filed. One row per event and version of it;
-- [observed_at, known_to) is the interval in which the version was the newest known. A document whose hour is unknown occurred on its day,
-- shown at 00:00 UTC with time_precision `day`, became known at that day's end, and has no published_at.
with

documents as (
    select distinct on (documents.source_id, document_id, observed_at)
        'evt_' || left(sha256(concat_ws('|', documents.source_id, document_id)), 26) as event_id,
        document_type as event_type,
        title,
        null::varchar as summary,
        documents.entity_id,
        if(
            released_at >= released_at::date + interval '23:59:59.999' or released_at = documents.retrieved_at,
            (released_at at time zone 'UTC')::date::timestamp at time zone 'UTC',
            released_at
        ) as occurred_at,
        if(occurred_at = released_at, 'minute', 'day') as time_precision,
        if(time_precision = 'minute', released_at, null) as published_at,
        observed_at,
        documents.source_id,
        coalesce(url, runs.address) as source_url,
        'sha256:' || sha256(text) as document_hash,
        language,
        runs.key as payload_key,
    from lake.documents
    left join intermediate.runs using (run_id)
    order by documents.source_id, document_id, observed_at, documents.retrieved_at desc, record_hash
),

filings as (
    select distinct on (filings.source_id, accession_number, observed_at)
        'evt_' || left(sha256(concat_ws('|', filings.source_id, accession_number)), 26) as event_id,
        'filing' as event_type,
        'Form ' || form || ' of ' || coalesce(entities.name, 'CIK ' || cik) as title,
        nullif(concat_ws('; ', 'Items ' || replace(nullif(items, ''), ',', ', '), 'event of ' || report_date::varchar), '') as summary,
        'company_' || cik as entity_id,
        coalesce(accepted_at, filed::timestamp at time zone 'UTC') as occurred_at,
        if(accepted_at is null, 'day', 'minute') as time_precision,
        accepted_at as published_at,
        observed_at,
        filings.source_id,
        'https://www.sec.gov/Archives/edgar/data/' || ltrim(cik, '0') || '/' || replace(accession_number, '-', '')
        || coalesce('/' || primary_document, '/' || accession_number || '-index.htm') as source_url,
        null::varchar as document_hash,
        null::varchar as language,
        runs.key as payload_key,
    from lake.filings
    left join intermediate.entities on entities.entity_id = 'company_' || cik
    left join intermediate.runs using (run_id)
    where form in ('8-K', '8-K/A')
    order by filings.source_id, accession_number, observed_at, filings.retrieved_at desc, record_hash
),

together as (
    from documents
    union all by name
    from filings
)

select
    together.event_id,
    together.event_type,
    together.title,
    together.summary,
    together.entity_id,
    entities.country,
    entities.currency,
    case
        when event_type in ('policy_decision', 'policy_statement') then 'high'
        when event_type in ('minutes', 'speech') then 'medium'
        else 'low'
    end as importance,
    'occurred' as status,
    together.occurred_at,
    (together.occurred_at at time zone 'UTC')::date as event_date,
    together.time_precision,
    together.published_at,
    together.observed_at,
    lead(together.observed_at) over (partition by together.event_id order by together.observed_at) as known_to,
    []::varchar[] as indicator_ids,
    []::varchar[] as observation_ids,
    null::varchar as calendar_event_id,
    together.source_id,
    sources.source_tier,
    together.source_url,
    together.document_hash,
    together.language,
    if(starts_with(together.payload_key, 'sample/'), 'SAMPLE DATA, generated, not real: ', '') || sources.attribution as attribution,
    sources.is_redistributable,
    sources.license,
    sources.rights_note,
from together
inner join reference.sources using (source_id)
left join intermediate.entities using (entity_id)
order by together.event_id, together.observed_at
