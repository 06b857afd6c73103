-- The country of a company by the newest of its descriptions that was known at the cutoff, none before the first. Without a cutoff, its country of
-- today.
create or replace macro country_known_at(descriptions, country, cutoff) as
if(
    cutoff is null,
    country,
    list_transform(list_filter(descriptions, lambda one: one.known_from <= cutoff), lambda one: one.country)[-1]
)
