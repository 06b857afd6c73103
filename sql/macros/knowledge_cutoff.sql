-- The moment up to which the lake knows: the end of the newest run of the jobs. The evaluation time of everything in a snapshot, so that
-- the same lake gives the same bytes.
create or replace macro knowledge_cutoff() as (select max(finished_at) from lake.attempts)
