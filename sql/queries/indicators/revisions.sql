-- The size of revisions of first prints of the given series, and their release lag.
select series_no, mean_abs_revision, revised_share, median_release_lag_days
from published.series_revisions
where series_no in (select unnest($series_nos::integer[]))
