-- Net positions of futures traders with their percentiles among earlier reports, as typed columns. They are the
-- vintages of the derived series of the family `positioning`. One row per contract, report, report date and version; in
-- force during [known_from, known_to); known_to is null while it holds.
select
    series.series_no,
    series.entity_id,
    entities.cftc_contract_code as contract_code,
    name_at(entities.names, entities.name, vintages.observed_at) as contract_name,
    indicators.input as report,
    series.source_id,
    vintages.period,
    vintages.period_end as report_date,
    (vintages.metadata ->> '$.net')::bigint as net,
    (vintages.metadata ->> '$.weeklyChange')::bigint as weekly_change,
    (vintages.metadata ->> '$.percentile1y')::double as percentile_1y,
    vintages.value as percentile_3y,
    (vintages.metadata ->> '$.zScore3y')::double as z_score_3y,
    (vintages.metadata ->> '$.windowCount')::integer as window_count,
    vintages.value_text as crowding,
    vintages.metadata ->> '$.reason' as reason,
    vintages.observed_at as known_from,
    vintages.known_to,
from published.vintages as vintages
inner join published.series using (series_no)
inner join reference.derived_indicators as indicators on indicators.family = 'positioning' and indicators.slug = series.canonical_id
left join published.entities on entities.entity_id = series.entity_id
order by indicators.input, series.entity_id, vintages.period_end, vintages.observed_at
