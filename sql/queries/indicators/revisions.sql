-- How far the first prints of the given series were revised, and how soon they came.
select series_no, mean_abs_revision, revised_share, median_release_lag_days
from published.series_revisions
where series_no in (select unnest($series_nos::integer[]))
