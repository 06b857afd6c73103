-- Every staged row with its series number and the rule that refuses it, or null. Rules that need history come later.
-- is_ruled: it is known from the time of its publication rule; see ruled.sql.
with

numbered as (
    select
        series.stated_ix,
        series.series_ix,
        is_projection(series.resolved_canonical_id) as is_projection,
        series.resolved_entity_id is null or series.resolved_canonical_id is null as is_unresolved,
        observations.payload_no,
        observations.row_no,
        observations.period,
        observations.period_start,
        observations.period_end,
        observations.value,
        if(ruled.published_at is null, observations.observed_at, least(ruled.published_at, payloads.retrieved_at)) as observed_at,
        ruled.published_at is not null as is_ruled,
        observations.released_at,
        observations.obs_status,
        observations.is_pseudo,
        payloads.retrieved_at,
        payloads.key,
    from staged.stated as observations
    inner join staged.series
        on series.series_code = observations.series_code
        and series.canonical_id is not distinct from observations.canonical_id
        and series.entity_ref is not distinct from observations.entity_ref
        and series.frequency is not distinct from observations.frequency
        and series.unit is not distinct from observations.unit
    inner join staged.payloads using (payload_no)
    left join staged.ruled on ruled.series_ix = series.series_ix and ruled.period_end = observations.period_end
),

-- Most instants have one statement. Later steps look only at the others.
contested as (
    select series_ix, period_end, observed_at
    from numbered
    group by all
    having count(*) > 1
),

conflicts as (
    select payload_no, series_ix, period_end, observed_at
    from numbered
    semi join contested using (series_ix, period_end, observed_at)
    group by all
    having count(*) > 1 and (min(value) is distinct from max(value) or count(value) not in (0, count(*)))
)

select
    numbered.* exclude (is_unresolved, is_projection),
    contested.observed_at is not null as is_contested,
    case
        when is_unresolved then 'identity_unresolved'
        when not isfinite(value) then 'out_of_range'
        when observed_at > retrieved_at then 'time_travel'
        when not is_projection and period_start > make_timestamp(epoch_us(observed_at))::date then 'future_period'
        when conflicts.observed_at is not null then 'duplicate_conflict'
    end as rule,
from numbered
left join contested using (series_ix, period_end, observed_at)
left join conflicts using (payload_no, series_ix, period_end, observed_at)
