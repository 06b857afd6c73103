-- Figures of companies, as known at the cutoff. Infinity means the latest knowledge.
select field, entity_id, period_end, value, known_from as observed_at
from published.company_figures
where
    field between $first_field::varchar and $last_field::varchar
    and list_contains($fields::varchar[], field)
    and is_in_force(known_from, known_to, $as_of::timestamptz)
    and period_end >= $period_from::date
