-- One row per alias. alias_normalized follows src/model/alias.ts: NFKC, case-folded, blanks collapsed, `. , '` dropped.
-- The id stays the same when a name becomes a former one.
select
    'als_'
    || left(
        sha256(
            concat_ws(
                '|',
                texts.entity_id,
                texts.alias_type,
                coalesce(nullif(texts.scheme, 'former'), ''),
                texts.alias,
                coalesce(texts.valid_from::varchar, '')
            )
        ),
        26
    ) as alias_id,
    texts.entity_id,
    texts.alias,
    normals.alias_normalized,
    texts.alias_type,
    texts.scheme,
    texts.is_primary,
    texts.valid_from,
    texts.valid_to,
    texts.known_from,
    texts.end_known_from,
    texts.held_from,
    texts.held_to,
    1.0::double as confidence,
    entities.created_at,
from series.alias_texts as texts
inner join series.alias_normals as normals using (alias)
inner join published.entities using (entity_id)
order by texts.entity_id, texts.alias_type, texts.scheme nulls first, texts.alias, texts.valid_from nulls first
