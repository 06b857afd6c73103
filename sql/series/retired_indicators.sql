-- Indicators that nobody publishes any longer, with the day at whose end that became known. An indicator ceases
-- everywhere once the last of its listed series has ceased.
select
    canonical_id,
    max(cessations.known_on) as ceased_on,
    (max(cessations.known_on) + 1)::timestamp at time zone 'UTC' - interval 1 millisecond as ceased_at,
from reference.series
inner join reference.cessations using (source_id, series_code)
inner join reference.canonical_indicators as indicators using (canonical_id)
where indicators.status = 'ceased'
group by all
