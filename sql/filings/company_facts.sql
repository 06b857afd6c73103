-- XBRL facts of filings, with the time at which each became known. One row per cik, taxonomy, concept, unit,
-- period_start, period_end and accession_number, and per other value for these in a later payload. accepted_at is null
-- if no list has the filing.
-- A filing is known from its dissemination: its acceptance, or 06:00 New York time of the day it was filed if it was
-- sent after 17:30 of the day before; without an acceptance, from the end of the day it was filed; never later than the
-- retrieval of its payload.
-- The acceptance is a property of the filing, not news. Once a submissions file has it, it applies to all cutoffs, and
-- only answers as of a moment between it and the end of that day change. That is never too early, because the filing
-- was public then, and the result does not depend on the order of files. A value that differs from the one first
-- retrieved for the same filing is known from its own retrieval, so that it cannot reach back.
with

accepted as (
    select accession_number, min(accepted_at) as accepted_at, first(observed_at order by accepted_at, observed_at) as disseminated_at
    from filings.listed_filings
    where accepted_at is not null
    group by all
),

-- A fact with only a new label or frame is not new. A fact that returns to an earlier value is.
stated as (
    select *
    from (
        -- If a later version of the reader reads a payload differently, its reading counts.
        select facts.*
        from lake.facts as facts
        left join series.arrivals using (run_id)
        qualify
            row_number() over (
                partition by cik, taxonomy, concept, unit, period_start, period_end, accession_number, retrieved_at
                order by coalesce(facts.change_sequence, arrivals.change_sequence, 0) desc, record_hash
            ) = 1
    )
    window
        statements as (
            partition by cik, taxonomy, concept, unit, period_start, period_end, accession_number
            order by retrieved_at, record_hash
        )
    qualify row_number() over statements = 1 or value is distinct from lag(value) over statements
),

ordered as (
    select
        *,
        row_number() over (
            partition by cik, taxonomy, concept, unit, period_start, period_end, accession_number
            order by retrieved_at, record_hash
        ) as statement_no,
    from stated
),

known as (
    select
        ordered.*,
        accepted.accepted_at,
        if(statement_no = 1, least(coalesce(accepted.disseminated_at, ordered.observed_at), ordered.retrieved_at), ordered.retrieved_at) as known_at,
        coalesce(arrivals.ingested_at, ordered.retrieved_at) as ingested_at,
        coalesce(ordered.change_sequence, arrivals.change_sequence, 0) as numbered_as,
    from ordered
    left join accepted using (accession_number)
    left join series.arrivals using (run_id)
)

select
    cik,
    taxonomy,
    concept,
    unit,
    period_start,
    period_end,
    value,
    accession_number,
    form,
    filed,
    accepted_at,
    known_at as observed_at,
    record_hash,
    source_id,
    payload_id,
    run_id,
    retrieved_at,
    ingested_at,
    numbered_as as change_sequence,
from known
order by cik, taxonomy, concept, unit, period_end, period_start nulls first, known_at, accession_number, statement_no
