-- True if a source of this tier may be scored for its own data
-- (docs/reference/methods.md#scoring-and-the-preferred-row).
create or replace macro is_scoring_tier(tier) as tier in ('central_bank', 'official_national', 'official_supranational', 'market_data')
