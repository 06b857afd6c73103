-- The countries that belong to a group, and when: one row per stay. A null day is no bound.
select
    entity_id,
    stay.valid_from,
    stay.valid_to,
from (
    select
        entity_id,
        unnest(memberships) as stay,
    from published.countries
)
where stay.group_id = $group::varchar
order by entity_id, stay.valid_from
