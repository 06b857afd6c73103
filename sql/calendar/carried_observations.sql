-- The observations of a release, in every series that printed its number: one row per entry_id, canonical_id and change
-- of them, in force during [observed_at, known_to). indicator_place: the indicator's position within the release.
with

states as (
    select
        moments.entry_id,
        moments.release_id,
        moments.canonical_id,
        moments.moment as observed_at,
        coalesce(
            list(
                observation_id(series.source_id, series.indicator_id, series.entity_id, series.frequency, prints.period, prints.vintage)
                order by prints.printed_at, prints.place
            ) filter (where prints.series_no is not null),
            []
        ) as observation_ids,
    from calendar.calendar_moments as moments
    left join calendar.carried_prints as prints using (entry_id, canonical_id, moment)
    left join derived.all_series as series on series.series_no = prints.series_no
    where moments.canonical_id is not null
    group by all
),

changes as (
    select *
    from states
    qualify observation_ids is distinct from lag(observation_ids, 1, []) over (partition by entry_id, canonical_id order by observed_at)
)

select
    changes.entry_id,
    changes.canonical_id,
    list_position(releases.canonical_ids, changes.canonical_id) as indicator_place,
    changes.observation_ids,
    changes.observed_at,
    lead(changes.observed_at) over (partition by changes.entry_id, changes.canonical_id order by changes.observed_at) as known_to,
from changes
inner join reference.releases using (release_id)
