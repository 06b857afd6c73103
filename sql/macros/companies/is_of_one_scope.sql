-- True if twelve months, computed from a fiscal year, the year to date and the year to date a year ago, have one scope,
-- as far as comparative figures show.
-- Each input is a struct of value and recast_by: the amount that later reports added to it, null if unknown. Scopes
-- differ if the year was recast and its part was not, or the reverse, unless the year's own report has the later scope
-- already (see recast_years). They also differ if the year to date was recast, because its own comparative was not.
-- Half a percent is no change of scope. It is measured against the figure to decide if it was recast, and against the
-- total to decide if that matters, for one input or all three together.
create or replace macro is_of_one_scope(year, to_date, year_ago, is_year_of_later_scope) as
coalesce(
    abs(year['recast_by'] + to_date['recast_by'] - year_ago['recast_by']) <= 0.005 * abs(year['value'] + to_date['value'] - year_ago['value']),
    false
)
or coalesce(abs(to_date['recast_by']) <= 0.005 * abs(year['value'] + to_date['value'] - year_ago['value']), true)
and (
    is_year_of_later_scope
    or coalesce(
        (abs(year['recast_by']) > 0.005 * abs(year['value'])) = (abs(year_ago['recast_by']) > 0.005 * abs(year_ago['value']))
        or greatest(abs(year['recast_by']), abs(year_ago['recast_by'])) <= 0.005 * abs(year['value'] + to_date['value'] - year_ago['value']),
        true
    )
)
