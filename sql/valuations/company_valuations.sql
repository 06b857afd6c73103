-- Valuations with their multiples as columns, the reason for each null one, and the right to redistribute them by the
-- licence of the price. One row per company, known_at and price_source.
select
    valuations.cik,
    valuations.entity_id,
    valuations.observed_at as known_at,
    valuations.source_id as price_source,
    prices.is_redistributable,
    valuations.period_end as price_as_of,
    valuations.close as price,
    if(valuations.unlisted_split is null and not valuations.is_unit_unknown, valuations.market_cap, null) as market_cap,
    if(
        is_stale or valuations.unlisted_split is not null or valuations.is_unit_unknown,
        null,
        common_equity / if(valuations.market_cap > 0, valuations.market_cap, null)
    ) as book_yield,
    multiples_by_name(slug, value) as multiples,
    multiples_by_name(slug, reason) as reasons,
from valuations.stated_valuations as valuations
inner join valuations.valuation_multiples as multiples using (entity_id, source_id, period_end, observed_at)
inner join series.series as prices on prices.series_no = valuations.input_series_no
group by all
order by cik, known_at, price_source
