-- Annual reports that state an amount in a new scope: they change revenue and this amount of the year before by more than
-- half a percent, and no interim report did so earlier. Parts that were reported equally late after their year, but
-- before, have the old scope. One row per cik, statement_type, key and accession_number.
with

changes as (
    select
        cik,
        statement_type,
        key,
        span,
        period_start,
        accession_number,
        observed_at,
        recast,
        abs(value - lag(value) over versions) > 0.005 * abs(value) as is_changed,
    from filings.statement_values
    where is_in_part(cik) and kind = 'money'
    window versions as (partition by cik, statement_type, key, period_start, period_end, unit order by observed_at)
),

rescoped as (
    select cik, statement_type, key, accession_number
    from changes as year
    where
        span = 'year'
        and recast = 1
        and is_changed
        and not exists (
            from changes as part
            where
                (part.cik, part.statement_type, part.key, part.period_start) = (year.cik, year.statement_type, year.key, year.period_start)
                and part.span != 'year'
                and part.observed_at < year.observed_at
                and part.is_changed
        )
)

from rescoped
where (cik, accession_number) in (
    select (cik, accession_number) from rescoped
    where key = 'revenue'
)
