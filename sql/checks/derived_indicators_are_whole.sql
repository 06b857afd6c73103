-- Derived indicators with an error: no canonical indicator describes them; the input of a transform is no level, has
-- another frequency, or gives no values although two levels so far apart are known; or values exist of an unlisted
-- indicator.
select slug, 'has no row of its own in canonical_indicators.csv' as fault
from reference.derived_indicators as listed
where
    not exists (
        from reference.canonical_indicators as indicators
        where indicators.canonical_id = listed.slug and indicators.is_derived
    )
union all
select listed.slug, 'is computed from ' || level.canonical_id || ', which is no ' || listed.frequency || ' canonical indicator'
from reference.derived_indicators as listed, unnest(string_split(listed.input, ';')) as level (canonical_id)
where
    listed.months is not null
    and not exists (
        from reference.canonical_indicators as indicators
        where indicators.canonical_id = level.canonical_id and indicators.frequency = listed.frequency
    )
union all
select listed.slug, 'has no values, though its levels are known'
from reference.derived_indicators as listed
where
    months is not null
    and listed.slug not in (select canonical_id from derived.transforms)
    and exists (
        from series.series as levels
        inner join series.vintages as newer using (series_no)
        inner join series.vintages as older
            on older.series_no = newer.series_no and older.period_end = last_day(newer.period_end - to_months(listed.months))
        where
            list_contains(string_split(listed.input, ';'), levels.canonical_id)
            and levels.frequency = listed.frequency
            and older.observed_at < coalesce(newer.known_to, timestamptz 'infinity')
            and newer.observed_at < coalesce(older.known_to, timestamptz 'infinity')
    )
union all
select distinct canonical_id, 'has values, but no row in derived_indicators.csv'
from derived.derived_rows
where canonical_id not in (select slug from reference.derived_indicators)
