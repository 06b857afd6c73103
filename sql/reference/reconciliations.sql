-- reconciliations.csv of data/reference: one row per pair of series of two sources that say the same. comparison: per_vintage (each file of the left
-- against what was in force on the right when it was known), newest, or per_filing (facts of companies, which are no series: the indicators are
-- `facts`). transform: of the left, to what the right gives. revised_months: how far back the publisher still revises, so that two answers of
-- different days may differ; null of what is not compared by its newest values.
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
