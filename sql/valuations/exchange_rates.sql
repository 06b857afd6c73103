-- US dollars per unit of a currency, from the ECB's reference rates of a day. One row per currency other than the
-- dollar and day, known once both rates are known: that of the dollar and that of the currency. The euro needs only the
-- first.
with

rates as (
    select
        upper(substr(series.entity_id, 5)) as currency,
        vintages.period_end,
        vintages.value,
        vintages.observed_at,
        vintages.retrieved_at,
        vintages.ingested_at,
        vintages.change_sequence,
        { series_no: vintages.series_no, period: vintages.period, vintage: vintages.vintage, role: 'exchange_rate' } as input,
    from series.vintages
    inner join series.series using (series_no)
    where series.source_id = 'ecb_fx' and series.canonical_id = 'ecb_reference_rate' and vintages.value > 0 and vintages.release_no = 1
),

dollars as (
    select * from rates
    where currency = 'USD'
)

select
    rates.currency,
    dollars.period_end,
    dollars.value / rates.value as rate,
    greatest(dollars.observed_at, rates.observed_at) as observed_at,
    greatest(dollars.retrieved_at, rates.retrieved_at) as retrieved_at,
    greatest(dollars.ingested_at, rates.ingested_at) as ingested_at,
    greatest(dollars.change_sequence, rates.change_sequence) as change_sequence,
    [dollars.input, rates.input] as inputs,
from dollars
inner join rates using (period_end)
where rates.currency != 'USD'
union all
select 'EUR', period_end, value, observed_at, retrieved_at, ingested_at, change_sequence, [input]
from dollars
order by all
