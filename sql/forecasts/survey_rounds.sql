-- Expectations of surveys of forecasters for the periods of prints (reference.consensus): one row per indicator,
-- entity, period and vintage of a round. In [observed_at, known_to) the row was the newest of its round; published_at
-- is the time at which the round first became known. No row if the unit differs from the print's, or if the survey is
-- not redistributable.
with

asked as (
    select
        consensus.*,
        indicators.frequency,
        indicators.unit,
        case indicators.frequency when 'annual' then 12 when 'quarterly' then 3 else 1 end as months,
    from reference.consensus
    inner join reference.canonical_indicators as indicators using (canonical_id)
    where indicators.frequency in ('monthly', 'quarterly', 'annual')
)

select
    asked.entity_id,
    asked.canonical_id,
    asked.frequency,
    last_day(
        date_trunc(
            case asked.frequency when 'annual' then 'year' when 'quarterly' then 'quarter' else 'month' end, rounds.period_end
        )
        + to_months((asked.months * (asked.periods_ahead + 1) - 1)::integer)
    ) as period_end,
    series.series_no,
    rounds.period as round,
    rounds.period_end as round_end,
    rounds.vintage,
    rounds.value,
    rounds.first_observed_at as published_at,
    rounds.observed_at,
    rounds.known_to,
from asked
inner join derived.all_series as series
    on series.entity_id = asked.entity_id
    and series.canonical_id = asked.survey_canonical_id
    and series.source_id = asked.survey_source_id
    and series.unit = asked.unit
    and series.is_redistributable
inner join derived.all_vintages as rounds on rounds.series_no = series.series_no
where rounds.value is not null
