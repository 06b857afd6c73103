-- The facts of annual and quarterly reports for the lines of statements, as each filing reported them. Grain: cik,
-- accession_number, observed_at (one, except for facts that a later payload changed), statement_type, period_start,
-- period_end, key. The reporting currency of a filing is that of most of its facts; if several are equal, dollars come
-- last, because convenience translations are in dollars. The taxonomy is chosen the same way. Of several revenues of a
-- period the largest is the total, unless it is another one in rounded numbers. share_basis, for counts
-- and amounts per share: how many shares of the first known basis one share of the filing equals.
with

listed as (
    select
        facts.cik,
        facts.accession_number,
        facts.form,
        facts.filed,
        facts.observed_at,
        facts.accepted_at,
        concepts.statement_type,
        concepts.position,
        concepts.key,
        concepts.label,
        concepts.kind,
        concepts.rank,
        facts.taxonomy,
        facts.concept,
        facts.unit,
        facts.period_start,
        facts.period_end,
        facts.value,
        if(
            concepts.kind = 'money',
            null,
            coalesce(
                (
                    select product(splits.ratio) from reference.stock_splits as splits
                    where splits.cik = facts.cik and splits.effective_date <= facts.filed
                ),
                1
            )
        ) as share_basis,
        facts.record_hash,
        concat_ws('/', facts.accession_number, facts.concept, facts.unit, facts.period_start, facts.period_end) as fact_ref,
        facts.payload_id,
        facts.run_id,
        facts.ingested_at,
    from filings.company_facts as facts
    inner join filings.statement_concepts as concepts using (taxonomy, concept)
    where
        is_in_part(facts.cik)
        and is_statement_form(facts.form)
        and (concepts.statement_type = 'balance_sheet') = (facts.period_start is null)
),

currencies as (
    select cik, accession_number, taxonomy, unit as currency
    from listed
    where kind = 'money'
    group by cik, accession_number, taxonomy, unit
    qualify row_number() over (partition by cik, accession_number order by count(*) desc, unit = 'USD', taxonomy desc, unit) = 1
),

rounded_revenues as (
    select distinct cik, accession_number, observed_at, period_start, period_end, unit, rounded.concept
    from listed as rounded
    inner join listed as exact using (cik, accession_number, observed_at, period_start, period_end, unit, key)
    where key = 'revenue' and is_rounding_of(rounded.value, exact.value)
)

-- A window function may spill to disk. distinct on would hold every column of every group in memory.
select
    listed.*,
    currencies.currency,
from listed
inner join currencies using (cik, accession_number, taxonomy)
anti join rounded_revenues using (cik, accession_number, observed_at, period_start, period_end, unit, concept)
where unit = case kind when 'money' then currency when 'per_share' then currency || '/shares' else 'shares' end
qualify
    row_number() over (
        partition by cik, accession_number, observed_at, statement_type, period_start, period_end, key
        order by if(key = 'revenue', -value, rank), rank, record_hash
    ) = 1
order by cik, accession_number, observed_at, statement_type, period_start, period_end, key
