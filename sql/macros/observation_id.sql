-- The observationId: `obs_` and the first 130 bits of the hash of a row's key in base32hex, as in src/model/observation.ts.
-- Fifteen hexadecimal digits are twelve of base32. The list of one hash is there so that each row is hashed once.
create or replace macro observation_id(source_id, indicator_id, entity_id, frequency, period, vintage) as (
    list_transform(
        [sha256(concat_ws('|', source_id, indicator_id, entity_id, frequency, period, vintage))],
        lambda hash: 'obs_' || lower(
            to_base(('0x' || substr(hash, 1, 15))::bigint, 32, 12)
            || to_base(('0x' || substr(hash, 16, 15))::bigint, 32, 12)
            || to_base(('0x' || substr(hash, 31, 5))::bigint >> 10, 32, 2)
        )
    )[1]
)
