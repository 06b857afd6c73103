-- cadence_budgets.csv of data/reference: one row per cadence; budget_days = period_days + lag_days + grace_days, null for non-periodic ones.
select
    cadence,
    budget_days::integer as budget_days,
    period_days::integer as period_days,
    lag_days::integer as lag_days,
    grace_days::integer as grace_days,
from
    read_csv(
        getvariable('reference_root') || '/cadence_budgets.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '', hive_partitioning = false
    )
