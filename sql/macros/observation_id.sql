-- The observationId: `obs_` and the first 130 bits of the hash of a row's key in base32hex, as in src/model/observation.ts.
create or replace macro observation_id(source_id, indicator_id, entity_id, frequency, period, vintage) as (
    'obs_' || array_to_string(
        list_transform(
            range(26),
            lambda place: substr(
                '0123456789abcdefghijklmnopqrstuv',
                1 + (
                    (
                        (
                            '0x'
                            || substr(
                                sha256(concat_ws('|', source_id, indicator_id, entity_id, frequency, period, vintage)),
                                1 + 5 * (place // 4)::bigint,
                                5
                            )
                        )::bigint
                        >> (15 - 5 * (place % 4))
                    ) & 31
                ),
                1
            )
        ),
        ''
    )
)
