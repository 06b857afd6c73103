-- The country of a company by the newest description known at the cutoff; null before the first one. Without a cutoff,
-- its current country.
create or replace macro country_known_at(descriptions, country, cutoff) as
if(
    cutoff is null,
    country,
    list_transform(list_filter(descriptions, lambda one: one.known_from <= cutoff), lambda one: one.country)[-1]
)
