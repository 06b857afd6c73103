-- Names by which countries can be found, each with its country: codes before aliases, primary aliases before secondary,
-- valid ones before expired. A name whose best rank has several countries is left out. Grain: name.
with

names as (
    select
        iso2,
        lower(unnest([iso2, iso3, slug, name])) as name,
        0 as place,
    from published.countries
    union all
    select
        countries.iso2,
        aliases.alias_normalized as name,
        if(aliases.is_primary, 1, 3) + if(aliases.valid_to is null, 0, 1) as place,
    from published.aliases
    inner join published.countries using (entity_id)
),

best as (
    select * from names
    qualify place = min(place) over (partition by name)
)

select
    name,
    min(iso2) as iso2,
from best
group by name
having count(distinct iso2) = 1
order by name
