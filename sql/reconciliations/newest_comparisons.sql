-- One row per pair, entity and period with a newest value on both sides. `dated` is a difference that the days explain,
-- for a period that is still revised: one side published its value after the other's last update, or reaches to a later
-- period, so the answers are of two days. If the later side's vintages reach back to the other's last update, its value
-- at that time must agree.
with

compared as (
    select
        pairs.*,
        lefts.period,
        lefts.period_end,
        lefts.value as left_value,
        rights.value as right_value,
        lefts.run_id,
        greatest(lefts.ingested_at, rights.ingested_at) as ingested_at,
        coalesce(round(abs(lefts.value - rights.value), 9) <= pairs.tolerance, false) as is_equal,
        rights.observed_at > pairs.left_said_at as is_right_later,
        lefts.observed_at > pairs.right_said_at as is_left_later,
        least(pairs.left_said_at, pairs.right_said_at) as first_word_at,
        least((first_word_at at time zone 'UTC')::date, pairs.left_reach, pairs.right_reach) - to_months(pairs.revised_months) as settled_until,
    from reconciliations.paired_series as pairs
    inner join reconciliations.transformed_values as lefts on lefts.pair = pairs.pair and lefts.series_no = pairs.left_no
    inner join series.vintages as rights
        on rights.series_no = pairs.right_no
        and rights.period_end = lefts.period_end
    where
        pairs.comparison = 'newest'
        and rights.known_to is null
        and rights.value is not null
        and lefts.period_end >= pairs.comparable_since
),

-- The later side's value at the end of the day of the other's last update, if it has vintages.
contradicted as (
    select compared.pair, compared.left_no, compared.period_end
    from compared
    inner join series.vintages as stated
        on stated.series_no = if(compared.is_right_later, compared.right_no, compared.left_no)
        and stated.period_end = compared.period_end
        and is_in_force(
            stated.observed_at,
            stated.known_to,
            (date_trunc('day', compared.first_word_at at time zone 'UTC') + interval 1 day) at time zone 'UTC' - interval 1 millisecond
        )
    where
        not compared.is_equal
        and compared.transform is null
        and compared.is_right_later <> compared.is_left_later
        and if(compared.is_right_later, compared.right_stated_to, compared.left_stated_to) >= compared.first_word_at
        and round(abs(stated.value - if(compared.is_right_later, compared.left_value, compared.right_value)), 9) > compared.tolerance
)

select
    compared.pair,
    compared.left_no,
    compared.entity_id,
    null::timestamptz as known_at,
    compared.period,
    compared.period_end,
    compared.left_value,
    compared.right_value,
    case
        when compared.is_equal then 'agrees'
        when
            (compared.is_right_later or compared.is_left_later or compared.left_reach <> compared.right_reach)
            and compared.period_end > compared.settled_until
            and contradicted.pair is null
            then 'dated'
        else 'disagrees'
    end as outcome,
    compared.run_id,
    compared.ingested_at,
from compared
left join contradicted using (pair, left_no, period_end)
