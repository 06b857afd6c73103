-- Valuations with possible contradictions: price, share count and earnings per share may lie on different sides of an
-- unlisted split. Grain: input_series_no, period_end, observed_at. A valuation is stated again when such a split is
-- found later, when that is refuted, and when a company's first known industry contradicts its balance sheet.
-- unlisted_split: the suspected split for all amounts with a share count; eps_in_doubt and growth_in_doubt: for
-- earnings per share and their growth; null if there is none.
with

successive as (
    select
        input_series_no,
        period_end,
        observed_at,
        cik,
        known_at,
        price_retrieved_at,
        eps_since,
        eps_year_ago_since,
        is_financial,
        lead(observed_at, 1, timestamptz 'infinity') over (partition by input_series_no, period_end order by observed_at) as next_at,
    from valuations.valuations
),

reclassified as (
    select successive.input_series_no, successive.period_end, successive.observed_at, classes.*
    from successive
    inner join (
        select distinct on (cik) cik, known_from, is_financial, retrieved_at, ingested_at, change_sequence
        from filings.company_classes
        order by cik, known_from
    ) as classes using (cik)
    where known_from > observed_at and known_from < next_at and classes.is_financial != successive.is_financial
),

doubts as (
    select
        input_series_no,
        period_end,
        successive.observed_at,
        greatest(successive.observed_at, splits.known_at) as doubted_from,
        coalesce(refutation.known_at, timestamptz 'infinity') as doubted_to,
        next_at,
        -- Consistent: both from before the split, with a close that cannot be adjusted yet, or both from after it.
        not(
            (period_end <= not_before and price_retrieved_at <= adjusted_from and successive.known_at < splits.known_at)
            or (period_end >= by_date and successive.known_at >= splits.known_at)
        ) as is_mixed,
        is_mixed or (successive.known_at >= splits.known_at and eps_since < by_date) as is_eps_mixed,
        is_eps_mixed or (successive.known_at >= splits.known_at and eps_year_ago_since < by_date) as is_growth_mixed,
        {
            kind: kind, share_ratio: share_ratio, not_before: not_before, by_date: by_date, evidence: evidence,
            retrieved_at: splits.retrieved_at, ingested_at: splits.ingested_at, change_sequence: splits.change_sequence
        } as split,
        refutation,
    from successive
    inner join splits.unlisted_splits as splits using (cik)
    where doubted_from < least(doubted_to, next_at) and is_growth_mixed
),

moments as (
    select input_series_no, period_end, observed_at, observed_at as stated_at from successive
    union
    select input_series_no, period_end, observed_at, doubted_from from doubts
    union
    select input_series_no, period_end, observed_at, doubted_to from doubts
    where doubted_to < next_at
    union
    select input_series_no, period_end, observed_at, known_from from reclassified
),

in_doubt as (
    select
        input_series_no,
        period_end,
        observed_at,
        stated_at,
        min(split) filter (where is_open and is_mixed) as unlisted_split,
        min(split) filter (where is_open and is_eps_mixed) as eps_in_doubt,
        min(split) filter (where is_open and is_growth_mixed) as growth_in_doubt,
        max(if(is_open, split.retrieved_at, refutation.retrieved_at)) as retrieved_at,
        max(if(is_open, split.ingested_at, refutation.ingested_at)) as ingested_at,
        max(if(is_open, split.change_sequence, refutation.change_sequence)) as change_sequence,
    from (
        select *, stated_at < doubted_to as is_open
        from moments
        inner join doubts using (input_series_no, period_end, observed_at)
        where doubted_from <= stated_at
    )
    group by all
)

select
    valuations.* replace (
        moments.stated_at as observed_at,
        coalesce(reclassified.is_financial, valuations.is_financial) as is_financial,
        greatest(valuations.retrieved_at, in_doubt.retrieved_at, reclassified.retrieved_at) as retrieved_at,
        greatest(valuations.ingested_at, in_doubt.ingested_at, reclassified.ingested_at) as ingested_at,
        greatest(valuations.change_sequence, in_doubt.change_sequence, reclassified.change_sequence) as change_sequence
    ),
    in_doubt.unlisted_split,
    in_doubt.eps_in_doubt,
    in_doubt.growth_in_doubt,
from moments
inner join valuations.valuations using (input_series_no, period_end, observed_at)
left join in_doubt using (input_series_no, period_end, observed_at, stated_at)
left join reclassified
    on (reclassified.input_series_no, reclassified.period_end, reclassified.observed_at)
    = (moments.input_series_no, moments.period_end, moments.observed_at)
    and reclassified.known_from <= moments.stated_at
