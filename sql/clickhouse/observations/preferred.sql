-- The twin of sql/queries/observations/preferred.sql: chooses the preferred rows of an answer (`asked_rows`).
select toString(answer.id_hash) as id_hash
from asked_rows as answer
inner join (
    select
        candidate.1 as series_no,
        candidate.2 as slot,
        candidate.3 as preference,
        candidate.4 as source_order,
        candidate.5 as eligible_from
    from (
        select arrayJoin(arrayZip(
            {candidate_nos:Array(UInt32)},
            {candidate_slots:Array(UInt32)},
            {candidate_preferences:Array(UInt32)},
            {candidate_sources:Array(UInt32)},
            {candidate_from:Array(Int32)}
        )) as candidate
    )
) as candidates on candidates.series_no = answer.series_no
where isFinite(answer.value) and answer.period_end >= candidates.eligible_from and not startsWith(answer.vintage, 'pseudo:')
order by candidates.preference, answer.observed_at desc, answer.retrieved_at desc, candidates.source_order, answer.id_hash
limit 1 by candidates.slot, answer.period
