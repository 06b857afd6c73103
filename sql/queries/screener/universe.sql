-- The entities that can be screened. known_from: when the first value of a series or any fact of a company became
-- known, in periods that end on or after history_from; null if there is none. names and descriptions: name and country
-- over time. classes: a company's sectors, each from the time at which it became known.
with

seen as (
    select series_no, min(observed_at) as first_observed_at
    from published.vintages
    where period_end >= $history_from::date
    group by all
),

valued as (
    select entity_id, min(if($history_from::date is null, series.first_observed_at, seen.first_observed_at)) as known_from
    from published.series
    left join seen using (series_no)
    group by all
),

companies as (
    select
        entity_id,
        country,
        classes,
        descriptions,
        if(
            $history_from::date is null,
            known_from,
            list_min(
                list_transform(list_filter(reports, lambda one: one.period_end >= $history_from::date), lambda one: one.observed_at)
                || list_transform(list_filter(share_counts, lambda one: one.shares_as_of >= $history_from::date), lambda one: one.observed_at)
                || list_transform(list_filter(score_inputs, lambda one: one.window_end >= $history_from::date), lambda one: one.known_at)
            )
        ) as known_from,
    from published.companies
)

select
    entities.entity_id,
    entities.entity_type,
    entities.name,
    coalesce(entities.names, []) as names,
    coalesce(entities.country, companies.country) as country,
    coalesce(
        list_transform(companies.descriptions, lambda one: { country: one.country, known_from: one.known_from }), []
    ) as descriptions,
    entities.valid_from,
    entities.valid_to,
    least(companies.known_from, valued.known_from) as known_from,
    coalesce(list_transform(companies.classes, lambda class: { sector: class.sector, known_from: class.known_from }), []) as classes,
from published.entities
left join companies using (entity_id)
left join valued using (entity_id)
order by entities.entity_id
