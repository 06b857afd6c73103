-- The entities that can be screened on a day.
select entity_type, name, country, sector
from published.screened_entities
where
    class_to is null
    and (valid_from is null or valid_from <= $on_date::date)
    and (valid_to is null or valid_to >= $on_date::date)
order by entity_id
