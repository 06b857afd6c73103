-- All vintages behind a computed one, through any number of steps, with their payloads. Payloads of filings and
-- documents are missing, because inputs do not name them. Grain: asked vintage, input.
with recursive

asked as (
    select observation_id, unnest(inputs) as input
    from verifying.claimed
    where inputs is not null
),

behind as (
    select observation_id, input.series_no as series_no, input.period as period, input.vintage as vintage, input.role as role
    from asked
    union
    select behind.observation_id, nested.input.series_no, nested.input.period, nested.input.vintage, nested.input.role
    from behind
    inner join (
        select series_no, period, vintage, unnest(inputs) as input
        from verifying.vintages
        where inputs is not null
    ) as nested
        on nested.series_no = behind.series_no and nested.period = behind.period and nested.vintage = behind.vintage
)

select
    behind.observation_id,
    behind.role,
    series.indicator_id,
    observation_id(series.source_id, series.indicator_id, series.entity_id, series.frequency, behind.period, behind.vintage) as input_id,
    vintages.period,
    vintages.vintage,
    vintages.value,
    runs.key,
    runs.sha256,
from behind
inner join verifying.vintages
    on vintages.series_no = behind.series_no and vintages.period = behind.period and vintages.vintage = behind.vintage
inner join verifying.series on series.series_no = behind.series_no
left join lake.ingestions as runs on runs.run_id = vintages.run_id
order by all
