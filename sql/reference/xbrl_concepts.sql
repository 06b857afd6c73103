-- xbrl_concepts.csv of data/reference: what filings state of a company, and by which concepts, in order of preference. One row per line of a
-- statement (statement_type, position, key, label), per amount that the valuation multiples are made of (metric), or per what is both.
-- kind: money, shares or per_share; period_type: that of the concepts, instant or duration. concepts are those of us-gaap, for the count on a cover
-- those of dei; ifrs_concepts those of ifrs-full.
select
    statement_type,
    position::integer as position,
    key,
    label,
    metric,
    kind,
    period_type,
    string_split(concepts, ';') as concepts,
    string_split(ifrs_concepts, ';') as ifrs_concepts,
from
    read_csv(
        getvariable('reference_root') || '/xbrl_concepts.csv',
        all_varchar = true,
        header = true,
        delim = ',',
        quote = '"',
        escape = '"',
        nullstr = '',
        hive_partitioning = false
    )
