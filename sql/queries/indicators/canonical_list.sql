-- The given canonical indicators, or all. place: its place among the found ones. If not all data counts, the lists
-- give the time at which data of each counted indicator last became known; otherwise they are null. For a key that
-- sees no older periods (is_limited), an uncounted indicator has the time of this installation's first run.
with

found as (
    select unnest($found_ids::varchar[]) as canonical_id, unnest($found_places::integer[]) as place
),

of_then as (select unnest($known_ids::varchar[]) as canonical_id, unnest($known_ats::varchar[])::timestamptz as known_at)

select
    indicators.* replace (
        if(
            $known_ids::varchar[] is null,
            indicators.updated_at,
            coalesce(
                of_then.known_at,
                least(if($is_limited::boolean, (select min(started_at) from published.runs), indicators.updated_at), $as_of::timestamptz)
            )
        ) as updated_at
    ),
    found.place,
from published.canonical_indicators as indicators
left join of_then using (canonical_id)
left join found using (canonical_id)
where $found_ids::varchar[] is null or found.place is not null
