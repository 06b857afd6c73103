-- The score of every policy document by every lexicon (src/derived/document-sentiments.ts), with the time in which the
-- lexicon is in force: null is without a bound. Grain: document_hash, lexicon_version. score and stance are null for a text
-- without words.
create or replace table documents.document_sentiments (
    document_hash varchar,
    lexicon_version varchar,
    lexicon_sha256 varchar,
    in_force_from varchar,
    in_force_to varchar,
    score double,
    stance varchar,
    is_low_coverage boolean,
    hawkish_count integer,
    dovish_count integer,
    token_count integer,
    matched_phrases varchar
)
