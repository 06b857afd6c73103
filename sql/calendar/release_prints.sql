-- The newest period of each series of a release, each time it became known or, if a quarter is estimated several times,
-- was revised: one row per release_id, canonical_id, series_no and observed_at. Without series that are not
-- redistributable, series with another frequency than the indicator's, and assumed times. Also without the policy rate:
-- a decision sets it, but the rate here is an average published later. next_end: the end of the next period. late_from:
-- the day from which a release is too late to have brought it.
with

carried as (
    select release_id, entity_id, unnest(canonical_ids) as canonical_id
    from reference.releases
),

wanted as (
    select distinct entity_id, canonical_id, indicators.frequency
    from carried
    inner join reference.canonical_indicators as indicators using (canonical_id)
    where canonical_id <> 'policy_rate'
),

held as (
    select
        vintages.series_no,
        vintages.period,
        vintages.period_end,
        vintages.value,
        vintages.vintage,
        vintages.observed_at,
        max(vintages.period_end) over (
            partition by vintages.series_no order by vintages.observed_at range between unbounded preceding and current row
        ) as newest_end,
        row_number() over (partition by vintages.series_no, vintages.period_end order by vintages.observed_at) as print_no,
    from derived.all_vintages as vintages
    inner join derived.all_series as series using (series_no)
    inner join wanted using (entity_id, canonical_id, frequency)
    where vintages.value is not null and series.is_redistributable and not starts_with(vintages.vintage, 'pseudo:')
)

select
    carried.release_id,
    carried.canonical_id,
    held.* exclude (newest_end, print_no),
    print_no = 1 as is_first,
    series.frequency,
    -- Of equal series, the preferred source, then the lower number.
    row_number() over (partition by release_id, canonical_id order by coalesce(source_rank, 99), series_no, held.observed_at) as place,
    case series.frequency
        when 'weekly' then held.period_end + 7
        when 'monthly' then last_day(held.period_end + interval 1 month)
        when 'quarterly' then last_day(held.period_end + interval 3 month)
    end as next_end,
    held.period_end + case series.frequency when 'weekly' then 28 when 'monthly' then 100 when 'quarterly' then 190 end as late_from,
from held
inner join derived.all_series as series using (series_no)
inner join carried using (entity_id, canonical_id)
where held.period_end = newest_end and (print_no = 1 or series.frequency = 'quarterly')
