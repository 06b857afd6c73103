-- The series that a screen may use, with what decides which: one row per series of a screenable indicator, annual and irregular ones between countries apart.
-- is_barred and preference: see computeSeriesVerdicts. is_contested: another series has the same indicator of the same entity.
select
    series.series_no,
    min(series.series_no) over (partition by series.canonical_id) as indicator_no,
    series.canonical_id,
    series.indicator_id,
    series.entity_id,
    series.entity_type,
    series.source_id,
    series.frequency,
    series.default_budget_days,
    series.is_redistributable,
    series.licensed_source_ids,
    verdicts.is_barred,
    verdicts.preference,
    count(*) over (partition by series.canonical_id, series.entity_id) > 1 as is_contested,
    series.ceased_at,
    series.inputs_ceased_at,
from derived.all_series as series
inner join derived.series_verdicts as verdicts using (series_no)
inner join reference.canonical_indicators as indicators using (canonical_id)
where indicators.is_screenable
qualify
    series.entity_type not in ('country', 'currency_area', 'region')
    or series.frequency in ('daily', 'weekly', 'monthly', 'quarterly')
order by series.canonical_id, series.series_no
