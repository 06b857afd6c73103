-- The series from which the transforms of reference.derived_indicators are computed: of each entity those of the first indicator among the inputs of
-- which reference data list a series of it, else those of the last. What a transform says of an entity is so one thing, whatever else is known of it.
with

inputs as (
    select
        slug,
        frequency,
        unnest(string_split(input, ';')) as canonical_id,
        generate_subscripts(string_split(input, ';'), 1) as place,
    from reference.derived_indicators
    where family = 'macro_transform'
)

select
    inputs.slug,
    series.series_no,
    series.source_id,
    series.entity_id,
    series.frequency,
from inputs
inner join series.series using (canonical_id, frequency)
where
    not exists (
        from inputs as earlier
        inner join reference.series as listed using (canonical_id)
        where earlier.slug = inputs.slug and earlier.place < inputs.place and listed.entity_id = series.entity_id
    )
