-- The currency of a country on a day.
create or replace macro currency_at(currencies, day) as
list_transform(list_filter(currencies, lambda one: holds_on(one.valid_from, one.valid_to, day)), lambda one: one.currency)[-1]
