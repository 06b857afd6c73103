-- The derived rows of all families. Only rows computed from a document or from filings name the run that read it.
-- has_figures: routes serve parts of the metadata as numbers of their own. In other rows, it explains the value.
select * from derived.transforms
union all by name
select * from derived.period_means
union all by name
select * from derived.policy_rate
union all by name
select * from derived.adjusted_prices
union all by name
select *, true as has_figures from derived.positioning
union all by name
select *, true as has_figures from derived.sentiment
union all by name
select * from derived.multiples
