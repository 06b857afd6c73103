-- One row per series and run that read it under another code than series has (the newest one), because a publisher's
-- files may use several codes.
select
    series.series_no,
    observations.run_id,
    max(observations.series_code) as series_code,
from lake.observations
inner join published.series
    on series.source_id = observations.source_id
    and series.indicator_id = observations.indicator_id
    and series.frequency = observations.frequency
group by series.series_no, observations.run_id, series.series_code
having bool_and(observations.series_code <> series.series_code)
order by series_no, run_id
