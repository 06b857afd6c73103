-- The figures of one company through time: one row per figure, fiscal period and statement, for the days
-- [from_day, to_day) on which the statement was the newest of its period and had this place in the fiscal years and this
-- value in shares of the day. kind: q for quarters, a for years; a balance sheet at the end of a year counts in both.
with

statements as (
    select
        statement_id,
        period_type,
        period_start,
        period_end,
        currency,
        merged_lines,
        known_on(observed_at, $zone::varchar, $cut::time) as from_day,
        coalesce(known_on(known_to, $zone::varchar, $cut::time), date '9999-12-31') as to_day,
        list_transform(
            labels,
            lambda label: {
                fiscal_year: label.fiscal_year,
                fiscal_period: label.fiscal_period,
                from_day: known_on(label.known_from, $zone::varchar, $cut::time)
            }
        ) as labels,
        list_transform(
            share_bases,
            lambda one: { basis: one.basis, from_day: known_on(one.valid_from::timestamptz, $zone::varchar, $cut::time) }
        ) as bases,
    from published.financial_statements
    where company_id = $company_id::varchar and period_type in ('quarterly', 'annual', 'instant')
),

-- Each day on which something of a statement changes.
changed as (
    select
        *,
        unnest(
            list_sort(
                list_distinct(
                    [from_day]
                    || list_filter(
                        list_transform(labels, lambda label: label.from_day) || list_transform(bases, lambda one: one.from_day),
                        lambda day: day > from_day and day < to_day
                    )
                )
            )
        ) as day,
    from statements
    where from_day < to_day
),

states as (
    select
        * exclude (from_day, to_day, labels, bases),
        lead(day, 1, to_day) over (partition by statement_id order by day) as until,
        list_filter(labels, lambda label: label.from_day <= day)[-1] as label,
        coalesce(list_filter(bases, lambda one: one.from_day <= day)[-1].basis, 1) as basis,
    from changed
),

placed as (
    select
        *,
        unnest(
            case
                when period_type = 'annual' then ['a']
                when period_type = 'instant' and label.fiscal_period = 'FY' then ['a', 'q']
                else ['q']
            end
        ) as kind,
    from states
    where
        case
            when period_type = 'annual' then label.fiscal_period = 'FY'
            when period_type = 'instant' then label.fiscal_period in ('FY', 'Q1', 'Q2', 'Q3', 'Q4')
            else label.fiscal_period in ('Q1', 'Q2', 'Q3', 'Q4')
        end
),

figures as (
    select * exclude (merged_lines), unnest(merged_lines) as line
    from placed
)

select
    line.key as key,
    kind,
    case
        when kind = 'a' then label.fiscal_year
        when label.fiscal_period = 'FY' then label.fiscal_year * 100 + 4
        else label.fiscal_year * 100 + right(label.fiscal_period, 1)::integer
    end as period,
    strftime(day, '%Y-%m-%d') as from_day,
    strftime(until, '%Y-%m-%d') as to_day,
    in_shares_of(basis, line) as value,
    currency,
from figures
-- Of two statements with one place, the later one in this order counts.
order by key, kind, period, period_end, period_start nulls first, statement_id, day
