-- reconciliations.csv of data/reference: one row per pair of series of two sources that publish the same quantity.
-- comparison: per_vintage (each file of the left, with the value in force on the right at that time), newest, or
-- per_filing (facts of companies, which are not series; the indicator is `facts`). transform: converts the left to the
-- quantity of the right. revised_months: how far back the publisher still revises, so that answers of different days
-- may differ; null if the newest values are not compared.
select
    pair,
    left_source_id,
    left_indicator,
    right_source_id,
    right_indicator,
    frequency,
    entity_id,
    comparison,
    transform,
    decimals::integer as decimals,
    tolerance::double as tolerance,
    coalesce(comparable_since::date, date '-infinity') as comparable_since,
    revised_months::integer as revised_months,
    reason,
from
    read_csv(
        getvariable('reference_root') || '/reconciliations.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '', hive_partitioning = false
    )
