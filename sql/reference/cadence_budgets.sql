-- cadence_budgets.csv of data/reference: one row per cadence; budget_days null for non-periodic ones.
select
    cadence,
    budget_days::integer as budget_days,
    made_of,
from read_csv(getvariable('reference_root') || '/cadence_budgets.csv', all_varchar = true, header = true, delim = ',', quote = '"', escape = '"', nullstr = '')
