-- The liveness of each series' feed, for one source or all. Grain: series_no.
select series_no, last_advance_at, last_checked_at, upstream_advanced, identical_prints, next_release_at,
from published.series_liveness
inner join published.series using (series_no)
where $source_id::varchar is null or source_id = $source_id::varchar
order by series_no
