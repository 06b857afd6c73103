-- One FRED-MD vintage file → observations: a column a series, by name; rows that are not a month (`Transform:`, trailing blanks) fall away.
with

months as (
    select *
    from read_csv($file, all_varchar = true, header = true, delim = ',', quote = '"', escape = '"')
    where regexp_full_match(sasdate, '\d{1,2}/1/(\d{4}|\d{2})')
),

cells as (
    select *
    from months
    unpivot include nulls (cell for series_code in (columns(* exclude (sasdate))))
),

dated as (
    select
        series_code,
        make_date(
            case
                when length(split_part(sasdate, '/', 3)) = 4 then split_part(sasdate, '/', 3)::integer
                when 2000 + split_part(sasdate, '/', 3)::integer > $vintage_year::integer then 1900 + split_part(sasdate, '/', 3)::integer
                else 2000 + split_part(sasdate, '/', 3)::integer
            end,
            split_part(sasdate, '/', 1)::integer,
            1
        ) as period_start,
        nullif(nullif(trim(cell), ''), '.') as cell,
    from cells
)

select
    series_code,
    'monthly' as frequency,
    strftime(period_start, '%Y-%m') as period,
    period_start,
    last_day(period_start) as period_end,
    cell::double as value,
    $observed_at::timestamptz as observed_at,
    false as is_pseudo,
from dated
