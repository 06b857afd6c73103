-- Every entity with the names and codes by which a search finds it. A name counts from the time from which it was
-- known, a code always: a look-up is no look-ahead. Grain: entity_id.
with

texts as (
    select
        entity_id,
        alias as text,
        alias_type not in ('name', 'short_name') as is_code,
        if(is_code, null, coalesce(known_from, valid_from::timestamp at time zone 'UTC')) as known_from,
    from published.aliases
    where alias_type not in ('slug', 'iso_numeric', 'imf_code')
)

select
    entities.entity_id,
    entities.entity_type,
    epoch_ms(entities.known_from)::double as known_from,
    entities.valid_from,
    coalesce(
        list({ text: texts.text, is_code: texts.is_code, known_from: epoch_ms(texts.known_from)::double } order by texts.text)
        filter (where texts.text is not null),
        []
    ) as texts,
from published.entities
left join texts using (entity_id)
group by all
order by entities.entity_id
