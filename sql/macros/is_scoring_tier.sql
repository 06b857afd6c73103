-- Whether what a source of this tier establishes itself may be scored (methods.md, 6).
create or replace macro is_scoring_tier(tier) as tier in ('central_bank', 'official_national', 'official_supranational', 'market_data')
