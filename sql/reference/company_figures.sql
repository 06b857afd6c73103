-- company_figures.csv of data/reference: the fields of a company screen that are not observations. One row per field.
-- kind: flow (of twelve months, or their growth), balance, share_count, or score, which is computed per request.
-- source_tier: tier of the source that established the figure.
select
    field,
    label,
    kind,
    unit,
    source_tier,
from
    read_csv(
        getvariable('reference_root') || '/company_figures.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '', hive_partitioning = false
    )
