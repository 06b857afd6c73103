-- The groups that a country belonged to on a day.
create or replace macro member_of_at(memberships, day) as
coalesce(
    list_sort(list_transform(list_filter(memberships, lambda one: holds_on(one.valid_from, one.valid_to, day)), lambda one: one.group_id)), []
)
