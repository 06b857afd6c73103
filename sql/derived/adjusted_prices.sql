-- Closing prices of companies in the shares of the moment: the close as traded, divided by the later splits. A split
-- counts from the start of its effective day in UTC, so an earlier day gets one more vintage then. As of any moment,
-- closes of all days are comparable.
with

closes as (
    select
        series.series_no,
        series.source_id,
        series.entity_id,
        vintages.*,
    from series.vintages
    inner join series.series using (series_no)
    where series.canonical_id = 'price_close' and regexp_matches(series.entity_id, '^(company|listing)_\d{10}') and series.frequency = 'daily'
),

splits as (
    select
        series_no,
        effective_date,
        effective_date::timestamp at time zone 'UTC' as counts_from,
        ratio,
    from series.quoted_splits
    -- A split that is only announced changes nothing yet.
    where ratio != 1 and counts_from <= knowledge_cutoff()
),

-- Each print when it became known, and again on the effective day of each split while it is the newest.
moments as (
    select series_no, period_end, observed_at, observed_at as stated_at
    from closes
    union
    select closes.series_no, closes.period_end, closes.observed_at, splits.counts_from
    from closes
    inner join splits
        on splits.series_no = closes.series_no
        and splits.effective_date > closes.period_end
        and splits.counts_from > closes.observed_at
        and splits.counts_from < coalesce(closes.known_to, timestamptz 'infinity')
),

since as (
    select moments.series_no, moments.period_end, moments.observed_at, moments.stated_at, product(splits.ratio) as ratio
    from moments
    inner join closes using (series_no, period_end, observed_at)
    inner join splits
        on splits.series_no = closes.series_no and splits.effective_date > moments.period_end and splits.counts_from <= moments.stated_at
    group by all
)

select
    indicators.slug as canonical_id,
    indicators.unit,
    closes.series_no as input_series_no,
    closes.source_id,
    closes.entity_id,
    indicators.frequency,
    closes.period,
    closes.period_start,
    closes.period_end,
    if(since.ratio is null, closes.value, round(closes.value / since.ratio, 10)) as value,
    null::varchar as value_text,
    json_object('asTraded', closes.value, 'splitRatio', coalesce(since.ratio, 1))::varchar as metadata,
    moments.stated_at as observed_at,
    closes.released_at,
    closes.retrieved_at,
    closes.ingested_at,
    closes.change_sequence,
    [{ series_no: closes.series_no, period: closes.period, vintage: closes.vintage, role: 'price' }] as inputs,
    [closes.run_id] as input_run_ids,
    closes.run_id as source_run_id,
from moments
inner join closes using (series_no, period_end, observed_at)
left join since using (series_no, period_end, observed_at, stated_at)
inner join reference.derived_indicators as indicators on indicators.slug = 'price_close_split_adjusted'
