-- Which of the names that an entity has had was the newest known at the cutoff, the oldest if none was; without names through time, or without a
-- cutoff, its name.
create or replace macro name_at(names, name, cutoff) as
if(
    cutoff is null,
    name,
    coalesce(list_transform(list_filter(names, lambda one: one.known_from <= cutoff), lambda one: one.name)[-1], names[1].name, name)
)
