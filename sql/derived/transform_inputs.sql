-- The input series of the transforms in reference.derived_indicators. For each entity: the series of the first input
-- indicator with a listed series for it, else of the last one. So a transform means the same for an entity, whatever
-- other data exists.
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
