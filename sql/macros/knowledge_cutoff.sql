-- The time up to which the lake is complete: the newest collection that was read. It is the evaluation time of
-- everything in a snapshot, so that the same lake gives the same bytes.
create or replace macro knowledge_cutoff() as (select max(coalesce(collected_at, finished_at)) from lake.attempts)
