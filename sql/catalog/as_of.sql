-- The values known at a moment: of each period of each series the vintage in force, with the verdicts of then. They are
-- the rows of /observations?as_of=. preferred_for_factor: the row to use of all series of a country, factor and period.
create or replace macro as_of(t) as table
    with

    judged as (
        select
            shown.*,
            verdicts.is_ceased as was_ceased,
            verdicts.budget_days as budget_then,
            verdicts.is_eligible,
        from shown_series() as shown
        inner join verdicts_over_time(moment_of(t), moment_of(t)) as verdicts using (series_no)
    ),

    known as (
        select
            judged.*,
            asked.* exclude (series_no),
            freshness_status(
                print_day(judged.canonical_id, asked.period_end, asked.observed_at), judged.budget_then, judged.was_ceased, moment_of(t)
            ) as freshness_then,
        from judged
        inner join asked_vintages(as_of := moment_of(t), chosen_vintage := 'latest') as asked using (series_no)
    ),

    candidates as (
        select
            asked.series_no,
            asked.period_end,
            row_number() over (
                partition by judged.country, judged.factor_key, asked.period
                order by judged.preference, asked.observed_at desc, asked.retrieved_at desc, judged.source_id, asked.id_hash
            ) as place,
        from judged
        inner join asked_vintages(as_of := moment_of(t), chosen_vintage := 'latest', numeric_only := true) as asked using (series_no)
        where
            judged.is_eligible
            and judged.country is not null
            and judged.factor_key is not null
            and isfinite(asked.value)
            and not starts_with(asked.vintage, 'pseudo:')
            and freshness_status(
                print_day(judged.canonical_id, asked.period_end, asked.observed_at), judged.budget_then, judged.was_ceased, moment_of(t)
            ) <> 'stale'
    )

    select
        known.indicator_id,
        known.canonical_id,
        known.factor_key,
        known.entity_id,
        if(known.descriptions is null, known.country, country_known_at(known.descriptions, known.country, moment_of(t))) as country,
        known.source_id,
        known.source_tier,
        known.frequency,
        known.unit,
        known.period,
        known.period_end,
        known.value,
        known.vintage,
        known.observed_at,
        if(known.is_backfill, null, known.release_no) as release_number,
        known.is_revised,
        known.is_backfill,
        known.knowledge_grade as grade,
        known.freshness_then as freshness_status,
        (
            known.is_eligible
            and known.freshness_then <> 'stale'
            and coalesce(isfinite(known.value), false)
            and not starts_with(known.vintage, 'pseudo:')
        ) as scoring_eligible,
        coalesce(candidates.place = 1, false) as preferred_for_factor,
        known.is_redistributable,
        known.series_no,
        observation_id(known.source_id, known.indicator_id, known.entity_id, known.frequency, known.period, known.vintage) as observation_id,
    from known
    left join candidates using (series_no, period_end)
