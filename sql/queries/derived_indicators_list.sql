-- Derived indicators by slug, family and availability. Grain: slug.
select *
from published.derived_indicators
where
    ($slug::varchar is null or slug = $slug::varchar)
    and ($family::varchar is null or family = $family::varchar)
    and ($is_redistributable::boolean is null or is_redistributable = $is_redistributable::boolean)
