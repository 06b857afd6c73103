-- Reach and revisions per series. latest_* belong to the newest period with a value, first_observed_at to the first
-- known value, first_vintage_* to the series' first vintage: its knowledge time, and its newest period.
select
    series_no,
    min(period_end) filter (where value is not null) as first_period_end,
    max(period_end) filter (where value is not null and known_to is null) as latest_period_end,
    count(*) filter (where known_to is null) as observation_count,
    count(*) as vintage_count,
    min(observed_at) filter (where value is not null) as first_observed_at,
    max(observed_at) as latest_observed_at,
    min(observed_at) as first_vintage_at,
    arg_min(period_end, (observed_at, -(period_end - date '1970-01-01'))) as first_vintage_end,
from derived.all_vintages
group by all
