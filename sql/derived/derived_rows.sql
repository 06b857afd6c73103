-- The derived rows of all families. Only rows computed from a document or from filings name the run that read it.
-- figures: what routes serve of a row besides its value and text. The components of other rows explain one value.
select * from derived.transforms
union all by name
select * from derived.period_means
union all by name
select * from derived.policy_rate
union all by name
select * from derived.adjusted_prices
union all by name
select *, metadata as figures from derived.positioning
union all by name
select *, metadata as figures from derived.sentiment
union all by name
select * from derived.multiples
