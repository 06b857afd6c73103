-- Whether an indicator is what an institution projects: its periods may lie ahead, and each round is a vintage, even one that repeats the value.
create or replace macro is_projection(canonical_id) as coalesce(starts_with(canonical_id, 'projection_'), false)
