-- The expected value of a print: one row per series and period with a first print, if a survey asked for the same
-- quantity, unit and period at most 120 days before it. It comes from the newest such round, as known then, and is the
-- median of the forecasters' answers.
with

prints as (
    select
        series.series_no,
        series.entity_id,
        series.canonical_id,
        series.frequency,
        series.unit,
        vintages.period,
        vintages.period_end,
        vintages.observed_at,
    from published.vintages
    inner join published.series using (series_no)
    where
        vintages.release_no = 1
        and not vintages.is_backfill
        and series.canonical_id in (select canonical_id from reference.consensus)
)

select
    prints.series_no,
    prints.period,
    prints.period_end,
    rounds.value as consensus,
    rounds.published_at,
    rounds.observed_at,
    surveys.source_id,
    rounds.round,
    observation_id(surveys.source_id, surveys.indicator_id, surveys.entity_id, surveys.frequency, rounds.round, rounds.vintage) as observation_id,
from prints
inner join forecasts.survey_rounds as rounds
    on rounds.entity_id = prints.entity_id
    and rounds.canonical_id = prints.canonical_id
    and rounds.frequency = prints.frequency
    and rounds.period_end = prints.period_end
    and rounds.observed_at < prints.observed_at
    and rounds.published_at >= prints.observed_at - interval 120 day
inner join published.series as surveys on surveys.series_no = rounds.series_no and surveys.unit = prints.unit
qualify row_number() over (partition by prints.series_no, prints.period_end order by rounds.round_end desc, rounds.observed_at desc) = 1
order by prints.series_no, prints.period_end
