-- The given series, or all, with what they were revised; what else there is to say of a series stands in the catalogue. Grain: series_no.
select
    series_no,
    indicator_id,
    indicator_name as name,
    entity_id,
    source_id,
    latest_period_end,
    mean_abs_revision,
    revised_share,
    median_release_lag_days,
from published.series
inner join published.series_revisions using (series_no)
where $series_nos::integer[] is null or series_no in (select unnest($series_nos::integer[]))
