-- The newest name of an entity known at the cutoff, or its oldest if none was known. Without a history of names or
-- without a cutoff, its current name.
create or replace macro name_at(names, name, cutoff) as
if(
    cutoff is null,
    name,
    coalesce(list_transform(list_filter(names, lambda one: one.known_from <= cutoff), lambda one: one.name)[-1], names[1].name, name)
)
