-- Current reports (8-K) with earnings (item 2.02), and the quarter of each: the newest one that ended before the
-- report, by the fiscal year known at the time of the report. One row per cik and accession_number; none if no end of a
-- fiscal year was known then. quarter_end is counted from that end in whole months, so a year of 52 or 53 weeks ends
-- some days away from it. An amendment belongs to the quarter before its date of report.
with

reports as (
    select distinct on (cik, accession_number)
        cik,
        accession_number,
        observed_at as known_at,
        if(form = '8-K/A' and report_date <= filed, report_date, filed) as reported_on,
    from filings.stated_filings
    where is_in_part(cik) and form in ('8-K', '8-K/A') and list_contains(string_split(replace(items, ' ', ''), ','), '2.02')
    order by cik, accession_number, version_no, source_id, record_hash
),

-- Later files repeat known facts. Drop the rows without news.
learned as (
    select
        cik,
        known_from,
        coalesce(max(year_end) over so_far, last(listed_end ignore nulls) over so_far, last(interim_end ignore nulls) over so_far) as year_end,
    from filings.known_year_ends
    window
        so_far as (
            partition by cik
            order by known_from, year_end nulls first, listed_end nulls first, interim_end nulls first
            rows between unbounded preceding and current row
        )
    qualify row_number() over (partition by cik, known_from order by year_end desc, listed_end desc, interim_end desc) = 1
),

anchored as (
    select reports.*, learned.year_end, year_end = last_day(year_end) as is_whole_months
    from reports
    asof inner join learned on learned.cik = reports.cik and learned.known_from <= reports.known_at
),

-- Quarters after that end, or before it. A quarter that ends on the day of the report or later is not over.
quarters as (
    select
        *,
        (year(reported_on) - year(year_end)) * 4 + floor((month(reported_on) - month(year_end)) / 3.0)::integer as nearest,
        list_filter(
            [nearest - 1, nearest, nearest + 1]::integer[],
            lambda n: if(is_whole_months, last_day(year_end + to_months(3 * n)), (year_end + to_months(3 * n))::date) < reported_on
        )[-1] as quarters_after,
    from anchored
)

select
    cik,
    accession_number,
    if(is_whole_months, last_day(year_end + to_months(3 * quarters_after)), (year_end + to_months(3 * quarters_after))::date) as quarter_end,
    (year(year_end) - if(month(year_end) = 1 and day(year_end) <= 7, 1, 0) + ceil(quarters_after / 4.0))::integer as fiscal_year,
    'Q' || (4 + quarters_after - 4 * ceil(quarters_after / 4.0))::integer as fiscal_period,
from quarters
where quarters_after is not null
order by cik, accession_number
