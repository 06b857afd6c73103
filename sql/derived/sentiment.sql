-- Balance of hawkish and dovish words in a central bank's policy statements, and separately in its minutes: one value
-- per document by the day of release, from the newest lexicon of the time. documents.document_sentiments has the score
-- of each text by each lexicon. A text without such words gives null, with the reason in metadata. A later lexicon
-- makes a later vintage; values of the earlier one stay. The prior document is the last known one of the same bank and
-- type.
with

scored as (
    select
        documents.* exclude (text),
        sentiments.* exclude (document_hash, in_force_from, in_force_to),
        sentiments.in_force_from::timestamptz as lexicon_from,
        greatest(documents.version_at, coalesce(lexicon_from, documents.version_at)) as scored_at,
    from documents.policy_documents as documents
    inner join documents.document_sentiments as sentiments using (document_hash)
    where
        (sentiments.in_force_to is null or documents.version_at < sentiments.in_force_to::timestamptz)
        and (sentiments.in_force_from is null or sentiments.in_force_from::timestamptz <= knowledge_cutoff())
),

priors as (
    select
        scored.document_id,
        scored.source_id,
        scored.scored_at,
        scored.lexicon_version,
        arg_max(prior.score, (prior.released_at, prior.scored_at)) as score,
        arg_max(prior.document_id, (prior.released_at, prior.scored_at)) as prior_document_id,
    from scored
    inner join scored as prior
        on prior.bank_id = scored.bank_id
        and prior.document_type = scored.document_type
        and prior.lexicon_version = scored.lexicon_version
        and prior.released_at < scored.released_at
        and prior.scored_at <= scored.scored_at
    where prior.score is not null
    group by all
)

select
    indicators.slug as canonical_id,
    indicators.unit,
    null::integer as input_series_no,
    scored.source_id,
    scored.entity_id,
    indicators.frequency,
    strftime(scored.release_date, '%Y-%m-%d') as period,
    scored.release_date as period_start,
    scored.release_date as period_end,
    scored.score as value,
    scored.stance as value_text,
    json_object(
        'bank', scored.bank_id,
        'documentId', scored.document_id,
        'documentType', scored.document_type,
        'documentUrl', scored.url,
        'documentHash', scored.document_hash,
        'lexiconVersion', scored.lexicon_version,
        'lexiconSha256', scored.lexicon_sha256,
        'matchedPhrases', scored.matched_phrases::json,
        'hawkishCount', scored.hawkish_count,
        'dovishCount', scored.dovish_count,
        'tokenCount', scored.token_count,
        'lowCoverage', scored.is_low_coverage,
        'deltaVsPrior', round(scored.score - priors.score, 12),
        'priorDocumentId', priors.prior_document_id,
        'reason', if(scored.score is null, 'empty_statement', null)
    )::varchar as metadata,
    scored.scored_at as observed_at,
    scored.released_at,
    scored.retrieved_at,
    greatest(scored.ingested_at, scored.lexicon_from) as ingested_at,
    scored.change_sequence,
    []::struct(series_no integer, period varchar, vintage varchar, role varchar)[] as inputs,
    scored.run_id,
    scored.run_id as source_run_id,
from scored
inner join reference.derived_indicators as indicators on indicators.family = 'policy_text' and indicators.input = scored.document_type
left join priors using (source_id, document_id, scored_at, lexicon_version)
