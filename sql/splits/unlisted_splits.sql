-- Splits with some evidence that data/reference/stock_splits.csv does not explain: a line is missing, its day or ratio
-- is wrong, or (is_listed) closes are not adjusted for it. One row per cik, known_at and kind. The split came after
-- not_before and by by_date.
-- kind: restatement (a filing restates figures of earlier periods), cover (the count on a cover page jumps in a filing
-- that repeats no figures), price (a close jumps overnight). refutation: the first filing that repeats figures from
-- before it unchanged; null for restatements and listed splits. Closes of earlier days may be adjusted for the split if
-- retrieved after adjusted_from.
with

filings as (
    select
        cik,
        accession_number as evidence,
        known_at,
        max_by(share_ratio, (filed_before, accession_before)) filter (where share_ratio != 1) as share_ratio,
        max(filed_before) filter (where share_ratio != 1) as filed_before,
        bool_or(share_ratio = 1) as is_unchanged,
        min(filed) as filed,
        max(retrieved_at) as retrieved_at,
        max(ingested_at) as ingested_at,
        max(change_sequence) as change_sequence,
        max(payload_id) as payload_id,
        max(run_id) as run_id,
    from splits.restatements
    group by all
),

covers as (
    select
        facts.*,
        lag(facts.period_end) over pages as day_before,
        (value / coalesce(basis, 1)) / lag(value / coalesce(basis, 1)) over pages as ratio,
    from filings.company_facts as facts
    asof left join splits.split_bases as bases on bases.cik = facts.cik and bases.valid_from <= facts.period_end
    where taxonomy = 'dei' and concept = 'EntityCommonStockSharesOutstanding' and unit = 'shares' and value > 0
    window pages as (partition by facts.cik order by observed_at, facts.period_end, accession_number, record_hash)
),

restated as (
    select
        'restatement' as kind,
        filings.* exclude (is_unchanged, filed, filed_before),
        'sec' as source_id,
        filings.filed_before as stated_from,
        greatest(max(filings.filed_before), max(earlier.filed), max(covers.day_before)) as not_before,
        coalesce(max(covers.period_end), max(filings.filed)) as by_date,
    from filings
    left join filings as earlier
        on earlier.cik = filings.cik
        and earlier.is_unchanged
        and earlier.filed between filings.filed_before and filings.filed - 1
        and earlier.known_at < filings.known_at
    left join covers
        on covers.accession_number = filings.evidence
        and covers.observed_at <= filings.known_at
        and abs(ln(covers.ratio / filings.share_ratio)) <= 0.15
        and covers.period_end <= filings.filed
    where filings.share_ratio is not null
    group by all
),

counted as (
    select
        'cover' as kind,
        cik,
        observed_at as known_at,
        share_ratio,
        retrieved_at,
        ingested_at,
        change_sequence,
        payload_id,
        run_id,
        accession_number as evidence,
        'sec' as source_id,
        day_before as stated_from,
        day_before as not_before,
        period_end as by_date,
    from covers
    inner join splits.split_ratios as ratios on is_whole and abs(ln(ratio / share_ratio)) <= 0.05
    where period_end > day_before and accession_number not in (select accession_number from splits.restatements)
    qualify row_number() over (partition by accession_number, observed_at order by abs(ln(ratio / share_ratio)), period_end) = 1
),

suspected as (
    from restated
    union all by name
    from counted
    union all by name
    select *, 'price' as kind from splits.price_jumps
),

judged as (
    select
        *,
        -- A line of ratio 1 means: examined, and not a split.
        exists(
            select *
            from reference.stock_splits as listed
            where
                listed.cik = suspected.cik
                and listed.ratio = 1
                and listed.effective_date > suspected.not_before
                and listed.effective_date <= suspected.by_date
        ) as is_dismissed,
        if(
            kind = 'restatement' or is_listed, null,
            (
                select
                    min(
                        {
                            known_at: known_at,
                            retrieved_at: retrieved_at,
                            ingested_at: ingested_at,
                            change_sequence: change_sequence,
                            evidence: accession_number
                        }
                    )
                from splits.restatements as unchanged
                where
                    unchanged.cik = suspected.cik and unchanged.share_ratio = 1 and unchanged.filed_before <= suspected.not_before
                    and unchanged.filed > suspected.by_date and unchanged.known_at > suspected.known_at
            )
        ) as refutation,
    from suspected
)

select
    cik,
    kind,
    share_ratio,
    least(not_before, by_date - 1) as not_before,
    by_date,
    evidence,
    source_id,
    coalesce(is_listed, false) as is_listed,
    coalesce(adjusted_from, not_before::timestamp at time zone 'UTC' + interval 1 day) as adjusted_from,
    known_at,
    retrieved_at,
    ingested_at,
    change_sequence,
    payload_id,
    run_id,
    refutation,
from judged
where
    not is_dismissed
    -- A later filing that restates by the same split adds nothing.
    and not exists (
        select *
        from judged as earlier
        where
            earlier.cik = judged.cik
            and abs(ln(earlier.share_ratio / judged.share_ratio)) <= 0.1
            and (earlier.known_at, earlier.kind) < (judged.known_at, judged.kind)
            and earlier.by_date > judged.stated_from
            and (earlier.kind = 'restatement' or not (earlier.is_dismissed or coalesce(earlier.refutation.known_at < judged.known_at, false)))
    )
order by cik, known_at, kind
