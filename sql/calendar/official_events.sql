-- Publications of central banks, and current reports (8-K) of companies; one with earnings names its quarter. One row
-- per event and version; a later change is known from its retrieval. A document without an hour occurred on its day, is
-- shown at 00:00 UTC with time_precision `day`, became known at the end of that day, and has no published_at. entry_id:
-- the calendar's decision to which a document belongs.
with

-- The sentiment of a text as first computed from it.
sentiments as (
    select
        series.source_id,
        vintages.metadata ->> '$.documentId' as document_id,
        vintages.metadata ->> '$.documentHash' as document_hash,
        min(vintages.observed_at) as observed_at,
        [any_value(series.indicator_id)] as indicator_ids,
        [arg_min(
            observation_id(series.source_id, series.indicator_id, series.entity_id, series.frequency, vintages.period, vintages.vintage),
            vintages.observed_at
        )] as observation_ids,
    from derived.derived_vintages as vintages
    inner join derived.all_series as series using (series_no)
    where
        series.canonical_id in (
            select slug from reference.derived_indicators
            where family = 'policy_text'
        )
    group by all
),

texts as (
    select
        *,
        row_number() over (partition by source_id, document_id order by retrieved_at, observed_at, record_hash) as version_no,
        if(version_no = 1, observed_at, greatest(observed_at, retrieved_at)) as version_at,
    from lake.documents
),

documents as (
    select distinct on (documents.source_id, documents.document_id, documents.version_at)
        'evt_' || left(sha256(concat_ws('|', documents.source_id, documents.document_id)), 26) as event_id,
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
        documents.version_at as observed_at,
        documents.source_id,
        coalesce(url, runs.address) as source_url,
        'sha256:' || sha256(text) as document_hash,
        language,
        sentiments.indicator_ids,
        sentiments.observation_ids,
        entries.entry_id,
        runs.key as payload_key,
    from texts as documents
    left join series.runs using (run_id)
    left join sentiments
        on sentiments.source_id = documents.source_id
        and sentiments.document_id = documents.document_id
        and sentiments.document_hash = 'sha256:' || sha256(text)
        and sentiments.observed_at <= documents.version_at
    left join calendar.calendar_entries as entries
        on entries.source_id = documents.source_id and entries.schedule_id = documents.document_id
    order by documents.source_id, documents.document_id, documents.version_at, documents.version_no desc
),

filings as (
    select distinct on (filings.source_id, filings.accession_number, version_at)
        'evt_' || left(sha256(concat_ws('|', filings.source_id, filings.accession_number)), 26) as event_id,
        'filing' as event_type,
        'Form ' || form || ' of ' || coalesce(names.name, 'CIK ' || filings.cik) as title,
        nullif(
            concat_ws(
                '; ',
                'Earnings of ' || news.fiscal_period || ' of fiscal ' || news.fiscal_year || ' (quarter to about ' || news.quarter_end || ')',
                'Items ' || replace(nullif(items, ''), ',', ', '),
                'event of ' || report_date::varchar
            ),
            ''
        ) as summary,
        'company_' || filings.cik as entity_id,
        coalesce(accepted_at, filed::timestamp at time zone 'UTC') as occurred_at,
        if(accepted_at is null, 'day', 'minute') as time_precision,
        if(time_precision = 'minute', filings.observed_at, null) as published_at,
        version_at as observed_at,
        filings.source_id,
        'https://www.sec.gov/Archives/edgar/data/' || ltrim(filings.cik, '0') || '/' || replace(filings.accession_number, '-', '')
        || coalesce('/' || primary_document, '/' || filings.accession_number || '-index.htm') as source_url,
        null::varchar as document_hash,
        null::varchar as language,
        runs.key as payload_key,
    from filings.stated_filings as filings
    -- With the company's name at that time.
    asof left join (
        select cik, name, coalesce(known_from, timestamptz '-infinity') as known_from from series.filer_names
    ) as names on names.cik = filings.cik and names.known_from <= filings.version_at
    left join series.runs using (run_id)
    left join filings.earnings_news as news
        on news.cik = filings.cik
        and news.accession_number = filings.accession_number
        and list_contains(string_split(replace(items, ' ', ''), ','), '2.02')
    where form in ('8-K', '8-K/A')
    order by filings.source_id, filings.accession_number, version_at, filings.version_no desc, filings.retrieved_at, record_hash
)

from documents
union all by name
from filings
