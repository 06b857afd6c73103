-- One row per pair, entity, file of the left (known_at) and period: its value, and the value in force on the right at
-- that time. A file has the values known on one day of its month. `dated`: the right replaced the value in that month,
-- and only after all other data in the file of that month. If the right states that it had no value yet, that is a
-- disagreement too. Files after the right's last vintage are not compared.
with

pairs as (
    select * from reconciliations.paired_series
    where comparison = 'per_vintage'
),

lefts as (
    select * from series.vintages
    where series_no in (select left_no from pairs)
),

rights as (
    select * from series.vintages
    where series_no in (select right_no from pairs)
),

first_said as (
    select series_no, period_end, min(observed_at) filter (where observed_at <> retrieved_at) as first_stated_at
    from rights
    group by all
),

files as (
    select distinct series.source_id, vintages.observed_at as known_at
    from series.vintages
    inner join series.series using (series_no)
    where series.source_id in (select left_source_id from pairs)
),

said as (
    select
        pairs.*,
        files.known_at,
        date_trunc('month', files.known_at at time zone 'UTC') at time zone 'UTC' as month_start,
        lefts.period,
        lefts.period_end,
        lefts.value as left_value,
        lefts.run_id,
        lefts.ingested_at as left_ingested_at,
    from pairs
    inner join files on files.source_id = pairs.left_source_id and files.known_at <= pairs.right_stated_to
    inner join lefts on lefts.series_no = pairs.left_no and lefts.period_end >= pairs.comparable_since
    where lefts.value is not null and is_in_force(lefts.observed_at, lefts.known_to, files.known_at)
),

compared as (
    select
        said.*,
        rights.value as right_value,
        coalesce(greatest(said.left_ingested_at, rights.ingested_at), said.left_ingested_at) as ingested_at,
        coalesce(round(abs(said.left_value - rights.value), 9) <= said.tolerance, false) as is_equal,
        -- First published in the month of the file.
        rights.observed_at > said.month_start
        and coalesce(round(abs(said.left_value - rights.prior_value), 9) > said.tolerance, true) as is_of_month,
        rights.observed_at as right_observed_at,
    from said
    asof left join rights
        on rights.series_no = said.right_no
        and rights.period_end = said.period_end
        and said.known_at >= rights.observed_at
    left join first_said on first_said.series_no = said.right_no and first_said.period_end = said.period_end
    where rights.value is not null or (rights.series_no is null and first_said.first_stated_at > said.known_at)
),

made as (
    select left_source_id, known_at, max(right_observed_at) as has_until
    from compared
    where is_equal and is_of_month
    group by all
),

replaced as (
    select compared.pair, compared.left_no, compared.known_at, compared.period_end, max(earlier.known_to) as until
    from compared
    inner join rights as earlier on earlier.series_no = compared.right_no and earlier.period_end = compared.period_end
    where
        not compared.is_equal
        and earlier.known_to > compared.month_start
        and earlier.known_to <= compared.known_at
        and round(abs(compared.left_value - earlier.value), 9) <= compared.tolerance
    group by all
)

select
    compared.pair,
    compared.left_no,
    compared.entity_id,
    compared.known_at,
    compared.period,
    compared.period_end,
    compared.left_value,
    compared.right_value,
    case
        when compared.is_equal then 'agrees'
        when replaced.until > coalesce(made.has_until, timestamptz '-infinity') then 'dated'
        else 'disagrees'
    end as outcome,
    compared.run_id,
    compared.ingested_at,
from compared
left join replaced using (pair, left_no, known_at, period_end)
left join made using (left_source_id, known_at)
