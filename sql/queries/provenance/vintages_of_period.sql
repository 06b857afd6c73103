-- Every vintage of one period of one series that was known at the cutoff, oldest first.
select vintage, observed_at, value, run_id, inputs,
from published.vintages
where
    series_no = $series_no::integer and period_end = $period_end::date and period = $period::varchar
    and ($as_of::timestamptz is null or observed_at <= $as_of::timestamptz)
order by release_no
