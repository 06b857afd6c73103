-- The first print of each period of an indicator, by a storage or canonical id, slug or alias. They are the rows of
-- /observations?vintage=first: periods that were loaded late have none.
create or replace macro first_prints(indicator) as table
    select
        shown.indicator_id,
        shown.canonical_id,
        shown.entity_id,
        shown.source_id,
        shown.frequency,
        shown.unit,
        prints.period,
        prints.period_end,
        prints.value,
        prints.vintage,
        prints.observed_at,
        prints.knowledge_grade as grade,
        shown.is_redistributable,
        shown.series_no,
        observation_id(shown.source_id, shown.indicator_id, shown.entity_id, shown.frequency, prints.period, prints.vintage) as observation_id,
    from shown_series() as shown
    inner join asked_vintages(backfill := false, chosen_vintage := 'first') as prints using (series_no)
    where
        shown.indicator_id in (lower(indicator), replace(lower(indicator), '-', '_'))
        or shown.canonical_id = (
            select canonical_id from indicator_names()
            where name = lower(indicator)
        )
