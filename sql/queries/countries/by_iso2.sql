-- One country or currency area as of the cutoff.
select *
from countries_as_of(as_of := $as_of::timestamptz, on_day := $on_date::date)
where iso2 = $iso2::varchar
