-- The twin of sql/queries/screener/statistics.sql: comparison values for the newest value of each series of some
-- indicators, as known at the cutoff. Days count from 1970.
with

known as (
    select
        series_no,
        series.frequency as frequency,
        period_end,
        value,
        max(period_end) over (partition by series_no) as newest_end
    from {values_3y:Identifier} as values_3y
    inner join {series:Identifier} as series on series.series_no = values_3y.series_no
    where
        epoch = {epoch:UInt16}
        and indicator_no between {first_no:UInt32} and {last_no:UInt32}
        and has({indicator_nos:Array(UInt32)}, indicator_no)
        and known_from <= {as_of:Int64}
        and (known_to is null or known_to > {as_of:Int64})
        and period_end >= {period_from:Int32}
),

placed as (
    select
        *,
        march_year_of(newest_end) as march_year,
        since_year_0(newest_end) - days_before(march_year) as of_year,
        days_before(march_year + 1) - days_before(march_year) as year_days,
        days_before(march_year) - days_before(march_year - 1) as year_ago_days
    from known
),

compared as (
    select
        series_no,
        period_end,
        value,
        calendar_place(frequency, period_end) as place,
        -- The last day of February corresponds to the last day of the February before.
        days_before(march_year - 1) - 719468 + if(of_year = year_days - 1, year_ago_days - 1, least(of_year, 364)) as year_ago,
        coalesce(place = calendar_place(frequency, newest_end) - 1, period_end < newest_end) as is_before,
        coalesce(place = place_a_year_before(frequency, newest_end), period_end between year_ago - 10 and year_ago) as is_year_ago,
        period_end > days_before(march_year - 3) - 719468 + least(of_year, 364) as is_trailing
    from placed
),

gathered as (
    select
        series_no,
        argMaxOrNullIf(value, period_end, is_before) as previous,
        argMaxOrNullIf(value, period_end, is_year_ago) as value_year_ago,
        -- In the order of periods, as in DuckDB, because a sum of fractions depends on the order.
        arrayMap(pair -> pair.2, arraySort(groupArrayIf((period_end, value), is_trailing))) as recent,
        length(recent) as count_3y,
        -- Adds distances from one of the values, so that equal values have exactly zero deviation.
        if(count_3y > 0, recent[1] + arrayCumSum(arrayMap(one -> one - recent[1], recent))[-1] / count_3y, null) as mean_3y,
        arrayMap(one -> (one - assumeNotNull(mean_3y)) * (one - assumeNotNull(mean_3y)), recent) as squares,
        if(count_3y > 1, sqrt(arrayCumSum(squares)[-1] / (count_3y - 1)), null) as deviation_3y
    from compared
    group by series_no
)

select
    series_no,
    previous,
    value_year_ago,
    count_3y,
    mean_3y,
    deviation_3y
from gathered
