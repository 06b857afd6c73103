-- Derived vintages with a knowledge time before that of an input.
select derived.series_no, derived.period_end, derived.observed_at, source.observed_at as input_observed_at
from (
    select series_no, period_end, observed_at, unnest(inputs) as input from published.vintages
    where inputs is not null
) as derived
inner join published.vintages as source
    on source.series_no = derived.input.series_no
    and source.period = derived.input.period
    and source.vintage = derived.input.vintage
where derived.observed_at < source.observed_at
