-- The factor by which a filing restates share counts and earnings per share of an earlier filing for the same periods,
-- beyond the listed splits between the two. One row per cik, accession_number, accession_before and known_at.
-- share_ratio: shares of the later filing per share of the earlier, 1 if unchanged; the possible split ratio that most
-- figures show. No row if no figure shows one, or only a single amount per share.
with

ratios as (
    select share_ratio from splits.split_ratios
    union all
    select 1
),

stated as (
    select
        *,
        unit != 'shares' as is_per_share,
        lag(value) over identity as value_before,
        lag(filed) over identity as filed_before,
        lag(accession_number) over identity as accession_before,
    from filings.company_facts
    where
        taxonomy in ('us-gaap', 'ifrs-full')
        and value != 0
        and is_statement_form(form)
        and (
            (
                unit = 'shares'
                and period_start is not null
                and concept in (
                    'WeightedAverageNumberOfSharesOutstandingBasic',
                    'WeightedAverageNumberOfDilutedSharesOutstanding',
                    'WeightedAverageShares',
                    'AdjustedWeightedAverageShares'
                )
            )
            or (
                unit = 'shares'
                and period_start is null
                and concept in ('CommonStockSharesOutstanding', 'NumberOfSharesOutstanding', 'NumberOfSharesIssued')
            )
            or (
                unit like '___/shares'
                and period_start is not null
                and concept in (
                    'EarningsPerShareBasic',
                    'EarningsPerShareDiluted',
                    'EarningsPerShareBasicAndDiluted',
                    'BasicEarningsLossPerShare',
                    'DilutedEarningsLossPerShare',
                    'BasicAndDilutedEarningsLossPerShare'
                )
            )
        )
    window identity as (partition by cik, concept, unit, period_start, period_end order by observed_at, accession_number, retrieved_at, record_hash)
),

compared as (
    select
        stated.*,
        if(is_per_share, value_before / value, value / value_before) / (coalesce(now.basis, 1) / coalesce(was.basis, 1)) as ratio,
        -- Earnings per share are stated to the cent.
        if(is_per_share, 0.005 / abs(value) + 0.005 / abs(value_before), 0) as rounding,
    from stated
    asof left join splits.split_bases as was on was.cik = stated.cik and was.valid_from <= stated.filed_before
    asof left join splits.split_bases as now on now.cik = stated.cik and now.valid_from <= stated.filed
    where accession_before != accession_number and value * value_before > 0
),

votes as (
    select
        cik,
        accession_number,
        accession_before,
        observed_at as known_at,
        share_ratio,
        min(filed) as filed,
        max(filed_before) as filed_before,
        max(retrieved_at) as retrieved_at,
        max(ingested_at) as ingested_at,
        max(change_sequence) as change_sequence,
        max_by(payload_id, (retrieved_at, payload_id)) as payload_id,
        max_by(run_id, (retrieved_at, run_id)) as run_id,
        count(*) as figures,
        count(*) filter (where not is_per_share) as share_counts,
    from compared
    inner join ratios on abs(ln(ratio / share_ratio)) <= 0.006 + rounding
    where rounding <= 0.03
    group by all
)

select *
from votes
qualify
    row_number() over (partition by cik, accession_number, accession_before, known_at order by figures desc, abs(ln(share_ratio)), share_ratio) = 1
    and (share_ratio = 1 or share_counts > 0 or (figures > 1 and abs(ln(share_ratio)) >= ln(2) - 1e-9))
order by cik, known_at, accession_number, accession_before
