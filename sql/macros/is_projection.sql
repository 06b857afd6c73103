-- True if an indicator is an institution's projection. Its periods may lie in the future, and each round is a vintage,
-- even if the value is the same.
create or replace macro is_projection(canonical_id) as coalesce(starts_with(canonical_id, 'projection_'), false)
