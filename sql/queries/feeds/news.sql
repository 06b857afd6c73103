-- The newest releases or revisions for readers without a key, newest first. Grain: a series and the moment at which it
-- changed; the row is that of its newest period, and `periods` counts all.
-- Only macro series of importance high or medium, without daily ones, whose own licence allows redistribution: a file cannot follow an
-- operator's grants, which may end at any time. A period is at most 24 months old when its value becomes known, as for a
-- key of the free tier. A number that comes through several sources has the rows of the source that knew the period first.
-- All numbers are those known at the row's moment. previous: the value of the newest period before it. prior_value: the
-- value that a revision replaced.
with

shown as (
    select *
    from published.series
    where is_redistributable and is_macro(entity_type) and importance in ('high', 'medium') and frequency <> 'daily'
),

owned as (
    select
        vintages.series_no,
        vintages.period,
    from published.vintages
    inner join shown using (series_no)
    where vintages.release_no = 1
    window
        of_period as (
            partition by shown.indicator_id, shown.entity_id, shown.frequency, vintages.period
            order by vintages.observed_at, shown.source_rank nulls last, shown.source_id
        )
    qualify row_number() over of_period = 1
),

changed as (
    select
        vintages.series_no,
        vintages.period,
        vintages.period_end,
        vintages.value,
        vintages.prior_value,
        vintages.vintage,
        vintages.observed_at,
        count(*) over (partition by vintages.series_no, vintages.observed_at) as periods,
    from published.vintages
    inner join owned using (series_no, period)
    where
        vintages.period_end >= (vintages.observed_at at time zone 'UTC')::date - interval 24 months
        and if(
            $is_revision::boolean,
            vintages.release_no > 1
            and vintages.value is distinct from vintages.prior_value
            and not starts_with(vintages.vintage, 'pseudo:'),
            vintages.release_no = 1 and not vintages.is_backfill and vintages.value is not null
        )
    qualify
        row_number() over (partition by vintages.series_no, vintages.observed_at order by vintages.period_end desc, vintages.period desc) = 1
),

newest as (
    select
        changed.*,
        shown.* exclude (series_no),
    from changed
    inner join shown using (series_no)
    order by changed.observed_at desc, shown.indicator_id, shown.source_id, shown.frequency
    limit $limit::integer
),

before as (
    select
        series_no,
        newest.observed_at,
        arg_max(vintages.value, vintages.period_end) as previous,
        arg_max(vintages.period, vintages.period_end) as previous_period,
    from newest
    inner join published.vintages using (series_no)
    where
        vintages.period_end < newest.period_end
        and is_in_force(vintages.observed_at, vintages.known_to, newest.observed_at)
        and vintages.value is not null
    group by all
)

select
    newest.source_id,
    newest.indicator_id,
    newest.indicator_name,
    newest.entity_id,
    newest.entity_name,
    newest.country,
    newest.frequency,
    newest.unit,
    newest.attribution,
    newest.period,
    newest.period_end,
    newest.value,
    newest.prior_value,
    before.previous_period,
    before.previous,
    newest.periods,
    newest.observed_at,
    newest.vintage,
from newest
left join before using (series_no, observed_at)
order by newest.observed_at desc, newest.indicator_id, newest.source_id, newest.frequency
