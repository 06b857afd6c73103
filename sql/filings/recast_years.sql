-- Parts of fiscal years that were recast later, while the annual report on the year already had the new scope and the
-- interim reports before it had not: a business sold late in the year. Revenue shows it: the annual report recast the
-- year before by the same share as later comparatives recast the part, so that the rest of the year differs by half a
-- percent at most. One row per cik, part_end and interval [observed_at, known_to) in which that held.
with

revenues as (
    select *, recast_by / nullif(value - recast_by, 0) as recast_share from filings.statement_values
    where is_in_part(cik) and key = 'revenue' and value > 0
)

select
    year.cik,
    part.period_end as part_end,
    greatest(year.observed_at, part.observed_at) as observed_at,
    least(year.known_to, part.known_to) as known_to,
from revenues as year
inner join revenues as part using (cik, period_start, unit)
inner join revenues as year_before
    on (year_before.cik, year_before.unit, year_before.span) = (year.cik, year.unit, year.span)
    and year_before.period_end + 1 = year.period_start
    and year_before.observed_at <= year.observed_at
    and year_before.known_to > year.observed_at
where
    year.span = 'year'
    and part.span != 'year'
    and greatest(year.observed_at, part.observed_at) < least(year.known_to, part.known_to)
    and abs(year.recast_share) <= 0.005
    and abs(part.recast_share) > 0.005
    and abs(year_before.recast_share) > 0.005
    and abs(part.recast_share - year_before.recast_share) * (year.value - part.value) <= 0.005 * year.value
