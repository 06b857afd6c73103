-- Days of releases from a real-time archive: the days on which a series that reference.releases names for a release
-- first printed a period. One row per release_id and period, from the first of these series. These give no day: the
-- start of an archive, data that arrived together with a long past period, and data known only from its retrieval. A
-- postponed release brings several periods.
with

named as (
    select release_id, unnest(codes) as named
    from reference.releases
),

first_prints as (
    select series_no, period_end, min(observed_at) as observed_at
    from derived.all_vintages
    where value is not null
    group by all
),

instants as (
    select series_no, observed_at, min(period_end) as oldest_end
    from first_prints
    group by all
),

advances as (
    select *
    from instants
    qualify row_number() over (partition by series_no order by observed_at) > 1
)

select distinct on (prints.release_id, prints.period)
    listed.source_id,
    listed.series_code as release_code,
    listed.series_code || '|' || (prints.observed_at at time zone 'UTC')::date as schedule_id,
    prints.period,
    prints.observed_at,
    vintages.retrieved_at,
    vintages.run_id,
from named
inner join reference.series as listed on listed.source_id = named.named.source_id and listed.series_code = named.named.code
inner join derived.all_series as series using (source_id, entity_id, canonical_id, frequency)
inner join calendar.release_prints as prints using (release_id, canonical_id, series_no)
inner join advances on advances.series_no = prints.series_no and advances.observed_at = prints.observed_at
inner join derived.all_vintages as vintages
    on vintages.series_no = prints.series_no
    and vintages.period_end = prints.period_end
    and vintages.observed_at = prints.observed_at
where
    prints.is_first
    and prints.observed_at < vintages.retrieved_at
    and (prints.observed_at at time zone 'UTC')::date - advances.oldest_end < prints.late_from - prints.period_end
order by prints.release_id, prints.period, prints.observed_at, listed.series_code
