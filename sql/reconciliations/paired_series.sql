-- One row per pair of data/reference/reconciliations.csv and entity with a series on both sides. stated_to: up to when
-- the publisher of a side gives its own vintages; null if it gives none, because a download is known only from its
-- retrieval. said_at: the last update of a side. reach: the end of its newest period.
with

spans as (
    select
        series_no,
        max(observed_at) as said_at,
        max(period_end) filter (where value is not null) as reach,
        max(observed_at) filter (where observed_at <> retrieved_at) as stated_to,
    from series.vintages
    group by all
)

select
    pairs.* exclude (entity_id),
    lefts.entity_id,
    lefts.indicator_id as left_indicator_id,
    lefts.series_no as left_no,
    rights.series_no as right_no,
    left_spans.said_at as left_said_at,
    left_spans.stated_to as left_stated_to,
    left_spans.reach as left_reach,
    right_spans.said_at as right_said_at,
    right_spans.stated_to as right_stated_to,
    right_spans.reach as right_reach,
from reference.reconciliations as pairs
inner join series.series as lefts
    on lefts.source_id = pairs.left_source_id
    and lefts.canonical_id = pairs.left_indicator
    and lefts.frequency = if(pairs.transform in ('monthly_mean', 'month_end'), 'daily', pairs.frequency)
    and (pairs.entity_id is null or lefts.entity_id = pairs.entity_id)
inner join series.series as rights
    on rights.source_id = pairs.right_source_id
    and rights.canonical_id = pairs.right_indicator
    and rights.frequency = pairs.frequency
    and rights.entity_id = lefts.entity_id
inner join spans as left_spans on left_spans.series_no = lefts.series_no
inner join spans as right_spans on right_spans.series_no = rights.series_no
