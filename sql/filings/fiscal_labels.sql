-- The place of each end of a period in the fiscal years, as known over time. One row per cik, period_end and change of
-- its place. Later knowledge relabels only later answers.
-- year_end: the first end of a fiscal year on or after the period, by the annual reports known then. If the next known
-- one is more than a year away, or all known ones are earlier, it is counted from there in whole years. Before the
-- first annual report: by the submissions file from its retrieval on, else by the year to date of the newest interim
-- report. A 52/53-week year may end some days from its nominal end, so half a month is tolerated. fiscal_year: an end
-- from 1 to 7 January belongs to the year before.
with

ends as (
    select distinct cik, period_end from filings.statement_cells
    where is_in_part(cik)
),

known as (
    select
        cik,
        period_end,
        known_from,
        period_end - 15 as shifted_end,
        coalesce(
            min(if(year_end >= shifted_end, year_end, null)) over so_far,
            max(year_end) over so_far,
            last(listed_end ignore nulls) over so_far,
            last(interim_end ignore nulls) over so_far
        ) as nearest_end,
    from ends
    inner join filings.known_year_ends as learned using (cik)
    window
        so_far as (
            partition by cik, period_end
            order by known_from, year_end nulls first, listed_end nulls first, interim_end nulls first
            rows between unbounded preceding and current row
        )
    qualify
        row_number() over (
            partition by cik, period_end, known_from
            order by year_end desc nulls last, listed_end desc nulls last, interim_end desc nulls last
        ) = 1
),

counted as (
    select
        *,
        (nearest_end + to_years((year(shifted_end) - year(nearest_end))::integer))::date as same_year,
        if(same_year < shifted_end, (nearest_end + to_years((year(shifted_end) - year(nearest_end) + 1)::integer))::date, same_year) as year_end,
    from known
    where nearest_end is not null
)

select
    cik,
    period_end,
    known_from,
    year_end,
    (year(year_end) - if(month(year_end) = 1 and day(year_end) <= 7, 1, 0))::integer as fiscal_year,
    greatest(1, least(4, 4 - round((year_end - period_end) / 91.3)))::integer as quarter,
from counted
qualify year_end is distinct from lag(year_end) over (partition by cik, period_end order by known_from)
order by cik, period_end, known_from
