-- The values of factors known on each date: the rows of /panels. factors: a list of canonical ids, slugs or aliases. every:
-- day, business_day, week, month_end or quarter_end. By name: countries (a list of ISO codes), or entities (a list of
-- entity ids, which may have annual series too); source (one data set); grade (the worst grade of a knowledge time, 1 to 3);
-- first_print (the first print of the newest period); eligible_only (only rows that pass the scoring gate).
create or replace macro panel(
    factors,
    "from",
    "to",
    every := 'month_end',
    countries := null,
    entities := null,
    source := null,
    grade := 2,
    first_print := false,
    eligible_only := false
) as table
    with

    named as (
        select
            asked.factor,
            coalesce(names.canonical_id, error('Unknown factor: ' || asked.factor || '. See the table canonical_indicators.')) as canonical_id,
        from (select unnest(factors) as factor, generate_subscripts(factors, 1) as place) as asked
        left join indicator_names() as names on names.name = lower(asked.factor)
        qualify row_number() over (partition by names.canonical_id order by asked.place) = 1
    ),

    slotted as (
        select
            named.factor,
            shown.*,
            dense_rank() over (order by named.factor, shown.entity_id)::integer as slot,
            dense_rank() over (order by shown.source_id) as source_order,
        from named
        inner join shown_series() as shown using (canonical_id)
        where
            (source is null or shown.source_id = source)
            and case
                when entities is not null then shown.entity_id in (select unnest(entities))
                else
                    is_national(shown.entity_type)
                    and shown.frequency in ('daily', 'weekly', 'monthly', 'quarterly')
                    and (countries is null or shown.country in (select upper(unnest(countries))))
            end
    ),

    dated as (
        select
            day,
            moment_of(day) as known_at,
            epoch_us(moment_of(day)) // 1000 * 1000 as moment,
        from panel_dates("from", "to", every)
        where day::timestamptz <= moment_of(day)
    ),

    judged as (
        select verdicts.*
        from verdicts_over_time((select min(known_at) from dated), (select max(known_at) from dated)) as verdicts
        where series_no in (select series_no from slotted)
    ),

    held as (
        from
            preferred_or_assumed_over_time(
                candidate_nos := (select coalesce(list(series_no order by slot, series_no), []) from slotted),
                candidate_slots := (select coalesce(list(slot order by slot, series_no), []) from slotted),
                candidate_preferences := (select coalesce(list(preference order by slot, series_no), []) from slotted),
                candidate_sources := (select coalesce(list(source_order order by slot, series_no), []) from slotted),
                gate_nos := (select coalesce(list(series_no order by series_no, held_from), []) from judged),
                gate_from := (select coalesce(list(held_from order by series_no, held_from), []) from judged),
                gate_to := (select coalesce(list(held_to order by series_no, held_from), []) from judged),
                gate_eligible := (select coalesce(list(is_eligible::integer order by series_no, held_from), []) from judged),
                gate_budgets := (
                    select coalesce(list(coalesce(1000 * round(budget_days * 86400000)::bigint, -1) order by series_no, held_from), [])
                    from judged
                ),
                known_nos := (
                    select coalesce(list(series_no), []) from slotted
                    where not first_print
                ),
                since := (select min(known_at) from dated),
                until := (select max(known_at) from dated),
                period_from := null::date,
                first_nos := (
                    select coalesce(list(series_no), []) from slotted
                    where first_print
                ),
                grade := grade,
                projection_nos := (
                    select coalesce(list(series_no), []) from slotted
                    where is_projection(canonical_id)
                ),
                moments := (select coalesce(list(moment order by moment), []) from dated)
            )
        where is_eligible or not eligible_only
    ),

    cells as (
        select
            dated.day,
            dated.known_at,
            held.*,
            case slotted.frequency
                when 'annual' then date_trunc('year', held.period_end)::date
                when 'quarterly' then date_trunc('quarter', held.period_end)::date
                when 'monthly' then date_trunc('month', held.period_end)::date
                when 'weekly' then held.period_end - 6
                else held.period_end
            end as period_start,
            slotted.* exclude (series_no, slot, preference, source_order, freshness_status),
        from dated
        inner join held on dated.moment >= held.held_from and dated.moment < held.held_to
        inner join slotted on slotted.slot = held.slot and slotted.series_no = held.series_no
    )

    select
        day as date,
        known_at as as_of,
        entity_id,
        if(descriptions is null, country, country_known_at(descriptions, country, known_at)) as country,
        factor,
        factor_key,
        indicator_id,
        observation_id(source_id, indicator_id, entity_id, frequency, period, vintage) as observation_id,
        vintage,
        value,
        unit,
        period,
        period_end,
        observed_at,
        if(is_backfill, null, release_no) as release_number,
        is_revised,
        is_backfill,
        source_id,
        source_tier,
        freshness as freshness_status,
        is_eligible as scoring_eligible,
        day - period_end as eop_lag,
        day - period_start - (period_end - period_start) // 2 as mop_lag,
        knowledge_grade as grade,
        is_redistributable,
    from cells
    order by date, factor, entity_id
