-- Derived indicators by slug, family and whether values are shown: those that may be redistributed, and those that grants open. Grain: slug.
select * exclude (is_redistributable), is_redistributable or list_contains($opened_slugs::varchar[], slug) as is_shown
from published.derived_indicators
where
    ($slug::varchar is null or slug = $slug::varchar)
    and ($family::varchar is null or family = $family::varchar)
    and ($is_shown::boolean is null or (is_redistributable or list_contains($opened_slugs::varchar[], slug)) = $is_shown::boolean)
