-- Of the given vintages, those whose periods end on or after a day.
select id_hash
from published.vintages
where
    series_no between list_min($series_nos::integer[]) and list_max($series_nos::integer[])
    and series_no in (select unnest($series_nos::integer[]))
    and period_end >= $period_from::date
    and id_hash in (select unnest($id_hashes::ubigint[]))
