-- Payloads that multiply most known periods of a series by one factor of ten or more (or a tenth or less, or negative),
-- or set them to zero. That is a change of unit or a broken file, not a revision. Rebasings have smaller factors and
-- pass.
-- Only the first such payload, because later ones are then compared with the rest. One row per affected series, and all
-- of its series if these hold most of its known periods. A series that an operator has released is never held. factor
-- is null for a series that is held because of the others, and 0 for zeros.
-- Thresholds: the payload restates at least 6 known periods, and more than half of them are within 1 % of their median
-- factor.
with

held as (select payload_no, series_ix from staged.held),

-- The last statement of a payload counts.
said as (
    select payload_no, series_ix, period_end, max(observed_at) as observed_at, arg_max(value, observed_at) as value
    from staged.judged
    anti join held using (payload_no, series_ix)
    where rule is null and value is not null
    group by all
),

timeline as (
    select series_ix, period_end, observed_at, value, payload_no from said
    union all
    select series_ix, period_end, observed_at, value, 0 from staged.known
),

changes as (
    select payload_no, series_ix, value / nullif(before, 0) as factor
    from (
        select
            *,
            lag(value) over (partition by series_ix, period_end order by observed_at, payload_no) as before,
        from timeline
    )
    where payload_no > 0 and before is not null and before != 0 and isfinite(before)
),

medians as (
    select payload_no, series_ix, count(*) as known_periods, count(*) filter (where factor = 0) as zeros, median(factor) as median_factor
    from changes
    group by all
),

counted as (
    select
        medians.*,
        count(*) filter (where abs(factor / nullif(median_factor, 0) - 1) <= 0.01) as scaled,
    from medians
    inner join changes using (payload_no, series_ix)
    group by all
),

named as (
    select series_ix, any_value(resolved_canonical_id) as canonical_id, any_value(indicator_id) as indicator_id from staged.series
    group by all
),

found as (
    select
        counted.payload_no,
        counted.series_ix,
        counted.known_periods,
        if(zeros * 2 > known_periods, zeros, scaled) as changed_periods,
        if(zeros * 2 > known_periods, 0, median_factor) as factor,
    from counted
    inner join named using (series_ix)
    where
        known_periods >= 6
        and (
            zeros * 2 > known_periods
            -- A vendor adjusts the whole history of a company for a split, which may be 10 for 1.
            or (
                scaled * 2 > known_periods
                and (median_factor >= 10 or median_factor <= 0.1)
                and canonical_id not in ('price_open', 'price_high', 'price_low', 'price_close', 'volume', 'dividend_per_share')
            )
        )
),

-- Series of payloads that an operator has accepted.
accepted as (
    select distinct payloads.payload_no, named.series_ix
    from staged.released
    inner join staged.payloads using (payload_id)
    inner join named using (indicator_id)
),

kept as (
    select found.*
    from found
    anti join held using (payload_no, series_ix)
    anti join accepted using (payload_no, series_ix)
),

first_payload as (select min(payload_no) as payload_no from kept),

is_whole as (
    select
        coalesce(sum(known_periods) filter (where series_ix in (select series_ix from kept semi join first_payload using (payload_no))), 0) * 2
        > sum(known_periods) as is_whole,
    from medians
    semi join first_payload using (payload_no)
)

select payload_no, series_ix, known_periods, changed_periods, factor
from kept
semi join first_payload using (payload_no)
union all
select distinct payload_no, series_ix, 0, 0, null
from staged.judged
semi join first_payload using (payload_no)
anti join kept using (payload_no, series_ix)
anti join held using (payload_no, series_ix)
anti join accepted using (payload_no, series_ix)
where (select is_whole from is_whole)
