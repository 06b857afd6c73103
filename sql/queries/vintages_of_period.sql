-- Every vintage of one period of one series, oldest first.
select vintage, observed_at, value, run_id, inputs,
from published.vintages
where series_no = $series_no::integer and period_end = $period_end::date and period = $period::varchar
order by release_no
