-- Whether twelve months rolled from a fiscal year, the year to date and the year to date a year ago are of one scope, as far as comparatives show.
-- Each is a struct of value and recast_by, the amount that reports on later fiscal years added to it, null where that is not known. Scopes differ
-- where the year was recast and its part was not, or the part and not the year, unless the year's own report is of the later scope already (see
-- recast_years), or where the year to date was recast, whose own comparative was not. Half a percent is no change of scope: of the figure for whether
-- it was recast, of the total for whether that matters, be it of one input or of all three together.
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
