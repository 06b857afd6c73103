-- Every canonical indicator; under a cutoff with when something of each that was known then last became known, without one the lists are null.
with

of_then as (select unnest($known_ids::varchar[]) as canonical_id, unnest($known_ats::varchar[])::timestamptz as known_at)

select
    indicators.* replace (
        if($as_of::timestamptz is null, indicators.updated_at, coalesce(of_then.known_at, least(indicators.updated_at, $as_of::timestamptz)))
            as updated_at
    ),
from published.canonical_indicators as indicators
left join of_then using (canonical_id)
