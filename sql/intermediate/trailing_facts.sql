-- The facts that the multiples are made of, as they stood after each filing. One row per company, known_at (the acceptance of a filing with such facts),
-- metric, concept and period, over the four years before; of a period the latest accepted filing counts. Amounts a share and share counts are
-- restated for the splits between `basis_date` and known_at: the filing's own day, for a count on a cover page the day that it names.
-- concept `any` is the metric from whichever synonym states it: the largest of them for revenue, where it is the consolidated total, else the first.
with

stated as (
    select
        facts.cik, concepts.metric, concepts.kind, concepts.rank, facts.concept, facts.period_start, facts.period_end, facts.value,
        facts.filed, facts.observed_at, facts.ingested_at, facts.retrieved_at, facts.change_sequence, facts.run_id,
        if(concepts.metric = 'shares_cover', facts.period_end, facts.filed) as basis_date,
        'sec:' || concat_ws('/', facts.accession_number, facts.taxonomy || ':' || facts.concept, facts.period_start, facts.period_end) as fact_ref,
        lead(facts.observed_at) over identity as known_to,
    from intermediate.company_facts as facts
    inner join intermediate.multiple_concepts as concepts using (concept)
    where regexp_full_match(facts.form, '(10-K|10-Q|10-KT|10-QT|20-F|40-F|6-K)(/A)?')
        and facts.taxonomy = if(concepts.metric = 'shares_cover', 'dei', 'us-gaap')
        and facts.unit = case concepts.kind when 'per_share' then 'USD/shares' when 'share_count' then 'shares' else 'USD' end
        and (facts.period_start is null) = (concepts.kind = 'instant' or concepts.metric in ('shares_cover', 'shares_balance'))
        and (facts.period_start is null or facts.period_end - facts.period_start between 70 and 420)
    window identity as (
        partition by facts.cik, facts.concept, facts.period_start, facts.period_end
        order by facts.observed_at, facts.accession_number, facts.retrieved_at, facts.record_hash
    )
),

moments as (select distinct cik, observed_at as known_at from stated),

known as (
    select
        moments.cik, moments.known_at,
        stated.* exclude (cik, observed_at, known_to, value, kind, basis_date),
        stated.value * case
            when kind = 'share_count' then coalesce(now.basis / was.basis, 1)
            when kind = 'per_share' then coalesce(was.basis / now.basis, 1)
            else 1
        end as value,
    from moments
    inner join stated
        on stated.cik = moments.cik
        and stated.observed_at <= moments.known_at
        and (stated.known_to is null or stated.known_to > moments.known_at)
        and stated.period_end >= moments.known_at::date - 1470
        and stated.period_end <= moments.known_at::date
    asof left join intermediate.split_bases as was on was.cik = stated.cik and was.valid_from <= stated.basis_date
    asof left join intermediate.split_bases as now on now.cik = moments.cik and now.valid_from <= moments.known_at::date
),

merged as (
    select distinct on (cik, known_at, metric, period_start, period_end) * replace ('any' as concept, 99 as rank)
    from known
    where metric in (select metric from intermediate.multiple_concepts group by metric having count(*) > 1)
    order by cik, known_at, metric, period_start, period_end, if(metric = 'revenue', -value, known.rank), known.rank, fact_ref
)

from known
union all by name
from merged
