-- The given series, or all. Other facts about a series come from the catalogue. With a cutoff, latest_period_ends gives
-- their reach in the order of series_nos, empty if nothing was in force; places are in that order too. Grain: series_no.
with

reached as (
    select
        unnest($series_nos::integer[]) as series_no,
        unnest($latest_period_ends::varchar[]) as latest_period_end,
        unnest($places::integer[]) as place,
)

select
    series.series_no,
    series.indicator_id,
    series.indicator_name as name,
    series.entity_id,
    series.source_id,
    if($latest_period_ends::varchar[] is null, series.latest_period_end, nullif(reached.latest_period_end, '')::date) as latest_period_end,
    reached.place,
from published.series
left join reached using (series_no)
where $series_nos::integer[] is null or series_no in (select unnest($series_nos::integer[]))
