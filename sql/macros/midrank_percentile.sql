-- 100 · (below + equal / 2) / total, to two decimals.
create or replace macro midrank_percentile(below, equal, total) as floor(10000 * (below + equal / 2) / total + 0.5) / 100
