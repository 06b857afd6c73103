-- One of the trailing multiples, as rows of a derived indicator: by company and day of the closing price. value_text says why there is no value.
create or replace macro multiples_of(derived_id) as table
    select
        derived_id as canonical_id,
        'ratio' as unit,
        input_series_no,
        source_id,
        entity_id,
        'daily' as frequency,
        period,
        period_start,
        period_end,
        value,
        reason as value_text,
        metadata,
        observed_at,
        released_at,
        retrieved_at,
        ingested_at,
        change_sequence,
        inputs,
        run_id,
    from valuations.valuation_multiples
    where slug = derived_id
