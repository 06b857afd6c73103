-- Every canonical indicator with the names, codes and descriptions by which a search finds it. Grain: canonical_id.
select
    canonical_id,
    name,
    coalesce(aliases, []) as aliases,
    list_filter([category, sub_category, description], lambda one: one is not null) as about,
    list_filter([sdmx_code, world_bank_code], lambda one: one is not null) as codes,
    fred_code,
from published.canonical_indicators
order by canonical_id
