-- Closing prices of companies that jump overnight by the ratio of a possible split, beyond the listed splits. One row
-- per cik and known_at. share_ratio: shares of the later day per share of the earlier. is_listed: a split of that ratio
-- is listed for that night, and the closes before are not adjusted for it. adjusted_from: closes retrieved after it may
-- be adjusted. Only first prints are compared, because later ones may be adjusted for later events.
with

bases as (
    select series_no, effective_date as valid_from, product(ratio) over (partition by series_no order by effective_date) as basis
    from series.quoted_splits
),

closes as (
    select
        series.source_id,
        substr(series.entity_id, 9) as cik,
        vintages.*,
        value * coalesce(basis, 1) as common_value,
        lag(common_value) over days as value_before,
        lag(vintages.period_end) over days as day_before,
        lag(retrieved_at) over days as retrieved_before,
    from series.vintages
    inner join series.series using (series_no)
    asof left join bases on bases.series_no = vintages.series_no and bases.valid_from <= vintages.period_end
    where
        series.canonical_id = 'price_close'
        and starts_with(series.entity_id, 'company_')
        and series.frequency = 'daily'
        and release_no = 1
        and value > 0
    window days as (partition by series_no order by vintages.period_end)
)

select
    closes.cik,
    observed_at as known_at,
    share_ratio,
    retrieved_at,
    ingested_at,
    change_sequence,
    run_id,
    period as evidence,
    source_id,
    day_before as stated_from,
    day_before as not_before,
    period_end as by_date,
    listed.series_no is not null as is_listed,
    -- A single payload with both closes is not adjusted for an unlisted split. For a listed one, the earlier close
    -- counts as adjusted.
    case
        when is_listed then timestamptz '-infinity'
        when retrieved_at = retrieved_before then timestamptz 'infinity'
        else retrieved_before
    end as adjusted_from,
from closes
inner join splits.split_ratios as ratios on is_whole and abs(ln(value_before / common_value / share_ratio)) <= 0.08
left join series.quoted_splits as listed
    on listed.series_no = closes.series_no
    and listed.effective_date > day_before
    and listed.effective_date <= period_end
    and abs(ln(listed.ratio / share_ratio)) <= 0.1
where period_end - day_before <= 10
qualify
    row_number() over (
        partition by closes.cik, observed_at
        order by abs(ln(value_before / common_value / share_ratio)), closes.series_no, period_end
    ) = 1
order by closes.cik, observed_at
