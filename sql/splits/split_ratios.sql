-- Possible ratios of splits and reverse splits: shares after it per share before. One row per ratio. is_whole: a whole
-- number or the inverse of one.
with

splits as (
    select unnest([
        1.25, 4 / 3, 1.5, 5 / 3, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 12, 15, 20, 25, 30, 40, 50, 60, 75, 80, 100, 150, 200
    ]::double[]) as ratio
)

select unnest([ratio, 1 / ratio]) as share_ratio, ratio = floor(ratio) as is_whole
from splits
