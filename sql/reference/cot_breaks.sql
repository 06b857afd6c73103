-- cot_breaks.csv of data/reference: one row per contract_code and date of the first report in another scale.
select
    contract_code,
    'cftc_' || replace(lower(contract_code), '+', 'plus') as entity_id,
    date::date as report_date,
    reason,
from
    read_csv(
        getvariable('reference_root') || '/cot_breaks.csv', all_varchar = true, header = true, delim = ',', quote = '"', escape = '"', nullstr = '',
        hive_partitioning = false
    )
