-- The series whose values are known from a publication rule on, and the series computed from them; see
-- publication_rules. One row per series_no.
select distinct series.series_no
from derived.all_series as series
left join reference.derived_indicators as indicators on indicators.slug = series.canonical_id
inner join reference.publication_rules as rules
    on rules.source_id = series.source_id
    and list_contains(coalesce(string_split(indicators.input, ';'), [series.canonical_id]), rules.canonical_id)
    and coalesce(rules.entity_id, series.entity_id) = series.entity_id
