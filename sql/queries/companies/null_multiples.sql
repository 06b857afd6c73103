-- The reasons for null multiples of companies: from the newest vintage of each series and period known at a moment.
-- Grain: series_no.
with

asked as (
    select
        unnest($series_nos::integer[]) as series_no,
        unnest($period_ends::date[]) as period_end,
        unnest($known_ats::timestamptz[]) as known_at
)

select distinct on (vintages.series_no)
    vintages.series_no,
    coalesce(vintages.value_text, 'insufficient_data') as reason,
from published.vintages
inner join asked on asked.series_no = vintages.series_no and asked.period_end = vintages.period_end and vintages.observed_at <= asked.known_at
where
    vintages.series_no between $series_from::integer and $series_to::integer
    and vintages.value is null
order by vintages.series_no, vintages.observed_at desc
