-- xbrl_concepts.csv of data/reference: the quantities that we read from filings, and their concepts in order of
-- preference. One row per line of a statement (statement_type, position, key, label), per amount of the valuation
-- multiples (metric), or per quantity that is both. kind: money, shares or per_share. period_type: instant or duration.
-- concepts are from us-gaap, and from dei for the count on a cover page; ifrs_concepts are from ifrs-full.
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
