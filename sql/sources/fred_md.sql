-- One FRED-MD vintage file → observations, one series per column, by name. Rows that are not a month (`Transform:`,
-- trailing blanks) are dropped.
with

months as (
    select *
    from read_csv($file, all_varchar = true, header = true, delim = ',', quote = '"', escape = '"', hive_partitioning = false)
    where regexp_full_match(sasdate, '\d{1,2}/1/(\d{4}|\d{2})')
),

dated as (
    select
        months.* exclude (sasdate),
        make_date(
            if(
                length(split_part(sasdate, '/', 3)) = 4,
                split_part(sasdate, '/', 3)::integer,
                split_part($years_of_two_digits, ' ', split_part(sasdate, '/', 3)::integer + 1)::integer
            ),
            split_part(sasdate, '/', 1)::integer,
            1
        ) as month_begins,
        strftime(month_begins, '%Y-%m') as month_named,
    from months
),

cells as (
    select *
    from dated
    unpivot include nulls (cell for series_code in (columns(* exclude (month_begins, month_named))))
)

select
    series_code,
    'monthly' as frequency,
    month_named as period,
    month_begins as period_start,
    last_day(month_begins) as period_end,
    nullif(nullif(trim(cell), ''), '.')::double as value,
    $observed_at::timestamptz as observed_at,
    false as is_pseudo,
from cells
