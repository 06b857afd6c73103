-- The scores of companies by field, as known at the cutoff: see scored_companies. period_end: that of the newest
-- statements in them. is_shown: true if the rights to the prices allow it.
select
    entity_id,
    inputs.window_end as period_end,
    score_as_of as observed_at,
    map {
        'score_composite': scores.composite,
        'score_financial_health': scores.financial_health,
        'score_growth': scores.growth,
        'score_quality': scores.quality,
        'score_value': scores.value
    } as scores,
    is_scored,
    are_prices_shown as is_shown,
from
    scored_companies(
        as_of := $as_of::timestamptz,
        asked_at := $at::timestamptz,
        history_from := $history_from::date,
        price_sources := $price_sources::varchar[],
        budget_days := $budget_days::integer
    )
where score_as_of is not null
