-- The facts behind the multiples as of each filing. One row per company, known_at (the acceptance of a filing with such
-- facts), metric, concept and period, over the four years before. For a period, the latest accepted filing counts, and
-- only facts in the reporting currency of that moment.
-- Amounts per share and share counts are restated for the splits between `basis_date` and known_at. basis_date is the
-- filing's own day, or for a count on a cover page the day that it names. concept `any` is the metric from any synonym
-- that the filing uses: for revenue the largest, which is the consolidated total unless it is another one in rounded
-- numbers, else the first.
-- recast_by: the amount that reports on later fiscal years added to the first or last value in reports on its own year,
-- whichever is nearer; 0 if it is rounding, null if those values are not known.
with

-- The taxonomy and currency of a filing.
reported_in as (
    select distinct cik, accession_number, taxonomy, currency from filings.statement_facts
    where is_in_part(cik)
),

stated as (
    select
        facts.cik,
        concepts.metric,
        concepts.kind,
        concepts.rank,
        if(concepts.kind = 'share_count', null, reported_in.currency) as currency,
        facts.concept,
        facts.period_start,
        facts.period_end,
        facts.accession_number,
        facts.record_hash,
        facts.filed,
        facts.observed_at,
        facts.ingested_at,
        facts.retrieved_at,
        facts.change_sequence,
        facts.run_id,
        facts.payload_id,
        facts.value as stated_value,
        if(concepts.metric = 'shares_cover', facts.period_end, facts.filed) as basis_date,
        'sec:' || concat_ws('/', facts.accession_number, facts.taxonomy || ':' || facts.concept, facts.period_start, facts.period_end) as fact_ref,
    from filings.company_facts as facts
    inner join valuations.multiple_concepts as concepts using (taxonomy, concept)
    left join reported_in
        on (reported_in.cik, reported_in.accession_number, reported_in.taxonomy) = (facts.cik, facts.accession_number, facts.taxonomy)
    where
        is_in_part(facts.cik)
        and is_statement_form(facts.form)
        and facts.unit = case concepts.kind
            when 'per_share' then reported_in.currency || '/shares' when 'share_count' then 'shares' else reported_in.currency
        end
        and (facts.period_start is null) = (concepts.kind = 'instant' or concepts.metric in ('shares_cover', 'shares_balance'))
        and (facts.period_start is null or facts.period_end - facts.period_start between 70 and 420)
),

-- On the first known basis of shares, so that filings are comparable.
based as (
    select
        stated.* exclude (stated_value, basis_date),
        case kind
            when 'per_share' then stated_value * coalesce(was.basis, 1) when 'share_count' then stated_value / coalesce(was.basis, 1) else
                stated_value
        end as value,
        coalesce(was.basis, 1) as basis,
    from stated
    asof left join splits.split_bases as was on was.cik = stated.cik and was.valid_from <= stated.basis_date
),

rounded_revenues as (
    select distinct cik, accession_number, observed_at, metric, period_start, period_end, rounded.concept
    from based as rounded
    inner join based as exact using (cik, accession_number, observed_at, metric, period_start, period_end)
    where metric = 'revenue' and is_rounding_of(rounded.value, exact.value)
),

merged as (
    select distinct on (cik, accession_number, observed_at, metric, period_start, period_end) * replace ('any' as concept, 99 as rank)
    from based
    anti join rounded_revenues using (cik, accession_number, observed_at, metric, period_start, period_end, concept)
    where
        metric in (
            select metric from valuations.multiple_concepts
            group by metric, taxonomy
            having count(*) > 1
        )
    order by cik, accession_number, observed_at, metric, period_start, period_end, if(metric = 'revenue', -value, rank), rank, fact_ref
),

reported_on as (
    select cik, accession_number, max(period_end) as newest_period_end from stated
    where period_start is not null
    group by all
),

versions as (
    select
        facts.* exclude (record_hash),
        lead(observed_at) over identity as known_to,
        if((newest_period_end - period_end + 40) // 365 > 0, null, value) as own_value,
        value - first(own_value ignore nulls) over so_far as since_first,
        value - last(own_value ignore nulls) over so_far as since_last,
        if(abs(since_first) < abs(since_last), since_first, since_last) as since_nearer,
        if(
            kind = 'per_share',
            beyond_rounding(since_nearer / basis, value / basis, true) * basis,
            beyond_rounding(since_nearer, value, false)
        ) as recast_by,
    from (
        from based
        union all by name
        from merged
    ) as facts
    left join reported_on using (cik, accession_number)
    window
        identity as (
            partition by facts.cik, facts.metric, facts.concept, facts.currency, facts.period_start, facts.period_end
            order by facts.observed_at, facts.accession_number, facts.retrieved_at, facts.record_hash
        ),
        so_far as (
            partition by facts.cik, facts.metric, facts.concept, facts.currency, facts.period_start, facts.period_end
            order by facts.observed_at, facts.accession_number, facts.retrieved_at, facts.record_hash
            rows between unbounded preceding and current row
        )
),

moments as (
    select known.cik, known.known_at, currencies.currency
    from (select distinct cik, observed_at as known_at from stated) as known
    asof left join filings.reporting_currencies as currencies on currencies.cik = known.cik and currencies.known_from <= known.known_at
)

select
    moments.cik,
    moments.known_at,
    versions.* exclude (
        currency, cik, accession_number, observed_at, known_to, kind, basis, value, own_value, since_first, since_last, since_nearer, recast_by
    ),
    case kind when 'share_count' then value * coalesce(now.basis, 1) when 'per_share' then value / coalesce(now.basis, 1) else value end as value,
    if(kind = 'per_share', recast_by / coalesce(now.basis, 1), recast_by) as recast_by,
from moments
inner join versions
    on versions.cik = moments.cik
    and (versions.currency is null or versions.currency = moments.currency)
    and is_in_force(versions.observed_at, versions.known_to, moments.known_at)
    and versions.period_end >= moments.known_at::date - 1470
    and versions.period_end <= moments.known_at::date
asof left join splits.split_bases as now on now.cik = moments.cik and now.valid_from <= moments.known_at::date
