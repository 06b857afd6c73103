-- Taxonomies of a company's facts that we do not turn into statements, as known at the cutoff.
select one.taxonomy as taxonomy
from (
    select unnest(unread_taxonomies) as one from published.companies
    where company_id = $company_id::varchar
)
where $as_of::timestamptz is null or one.known_from <= $as_of::timestamptz
order by taxonomy
