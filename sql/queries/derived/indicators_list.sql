-- Derived indicators by slug, family and visibility: redistributable ones, and those that grants open. With a cutoff,
-- the lists give the newest period of each known then; without one they are null. Grain: slug.
with

of_then as (select unnest($known_slugs::varchar[]) as slug, unnest($known_ends::varchar[])::date as period_end)

select
    indicators.* exclude (is_redistributable) replace (
        if($known_slugs::varchar[] is null, indicators.latest_period_end, of_then.period_end) as latest_period_end
    ),
    is_redistributable or list_contains($opened_slugs::varchar[], slug) as is_shown,
from published.derived_indicators as indicators
left join of_then using (slug)
where
    ($slug::varchar is null or slug = $slug::varchar)
    and ($family::varchar is null or family = $family::varchar)
    and ($is_shown::boolean is null or (is_redistributable or list_contains($opened_slugs::varchar[], slug)) = $is_shown::boolean)
