-- Chooses the preferred rows of an answer (`asked_rows`): the best row of each slot and period. A candidate is a series
-- whose rows can be preferred. The order equals comparePreference, and the gate equals rowReasons (src/model/trust.ts).
-- Both are numbers of the candidate here.
with

candidates as (
    select
        unnest($candidate_nos::integer[]) as series_no,
        unnest($candidate_slots::integer[]) as slot,
        unnest($candidate_preferences::integer[]) as preference,
        unnest($candidate_sources::integer[]) as source_order,
        unnest($candidate_from::date[]) as eligible_from,
),

answer as not materialized (select * from asked_rows)

select answer.id_hash::varchar as id_hash
from answer
inner join candidates using (series_no)
where
    isfinite(answer.value)
    and answer.period_end >= candidates.eligible_from
    and not starts_with(answer.vintage, 'pseudo:')
    and not starts_with(answer.vintage, 'assumed:')
qualify row_number() over (
    partition by candidates.slot, answer.period
    order by candidates.preference, answer.observed_at desc, answer.retrieved_at desc, candidates.source_order, answer.id_hash
) = 1
