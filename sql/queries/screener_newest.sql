-- The newest value of each indicator of each entity that a screen may use: of several series that of the preferred one, whatever its eligibility.
with

judged as (
    select
        series.*,
        states.* exclude (series_no, indicator_no),
        is_eligible_at(
            series.is_barred, series.ceased_at, series.inputs_ceased_at, series.frequency, states.due_at, states.vintage, $at::timestamptz
        ) as is_eligible,
    from published.states as states
    inner join published.screened_series as series using (indicator_no, series_no)
    where
        states.epoch = $epoch::smallint
        and states.known_to is null
        and ($period_from::date is null or states.period_end >= $period_from::date)
        and (series.is_redistributable or (series.licensed_source_ids != [] and list_has_all($granted_source_ids::varchar[], series.licensed_source_ids)))
)

select canonical_id, entity_type, value
from judged
qualify
    row_number() over (
        partition by canonical_id, entity_id
        order by
            is_eligible desc, preference, epoch_ms(observed_at) desc, epoch_ms(retrieved_at) desc, source_id,
            if(is_contested, sha256(concat_ws('|', source_id, indicator_id, entity_id, frequency, period, vintage)), null)
    ) = 1
order by canonical_id, entity_id
