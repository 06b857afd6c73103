-- One row per pair of data/reference/reconciliations.csv, by name: the number of comparisons and their results.
-- why_not: the reason if nothing was compared, else null. disagreements: all of them, oldest period first. known_on is
-- the day of the left file, null for a newest value.
with

counted as (
    select
        pair,
        count(distinct coalesce(subject, left_no::varchar)) as series,
        count(*) as compared,
        count(*) filter (where outcome = 'agrees') as agreeing,
        count(*) filter (where outcome = 'dated') as dated,
        count(*) filter (where outcome = 'disagrees') as disagreeing,
        list(
            {
                'entity_id': entity_id,
                'period': period,
                'known_on': strftime(known_at at time zone 'UTC', '%Y-%m-%d'),
                'left_value': left_value,
                'right_value': right_value
            }
            order by period_end, known_at, entity_id
        ) filter (where outcome = 'disagrees') as disagreements,
    from reconciliations.comparisons
    group by all
),

held as (
    select distinct source_id, canonical_id from series.series
    union
    select 'sec' as source_id, 'facts' as canonical_id
    where exists (from filings.company_facts)
    union
    select distinct source_id, 'facts' as canonical_id from lake.statement_numbers
),

paired as (
    select pair, bool_or(right_stated_to is not null) as has_stated
    from reconciliations.paired_series
    group by all
)

select
    pairs.pair,
    pairs.left_source_id,
    pairs.left_indicator,
    pairs.right_source_id,
    pairs.right_indicator,
    pairs.comparison,
    case
        when counted.pair is not null then null
        when lefts.source_id is null and rights.source_id is null then 'neither is here'
        when lefts.source_id is null then 'nothing of ' || pairs.left_source_id
        when rights.source_id is null then 'nothing of ' || pairs.right_source_id
        when pairs.comparison = 'per_vintage' and not coalesce(paired.has_stated, false) then 'no vintages of ' || pairs.right_source_id
        when pairs.comparison = 'per_filing' then 'no filing of both'
        else 'no period of both'
    end as why_not,
    coalesce(counted.series, 0) as series,
    coalesce(counted.compared, 0) as compared,
    coalesce(counted.agreeing, 0) as agreeing,
    coalesce(counted.dated, 0) as dated,
    coalesce(counted.disagreeing, 0) as disagreeing,
    coalesce(counted.disagreements, []) as disagreements,
from reference.reconciliations as pairs
left join counted using (pair)
left join paired using (pair)
left join held as lefts on lefts.source_id = pairs.left_source_id and lefts.canonical_id = pairs.left_indicator
left join held as rights on rights.source_id = pairs.right_source_id and rights.canonical_id = pairs.right_indicator
order by pairs.pair
