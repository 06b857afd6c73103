-- True if an amount of money is a smaller one in rounded numbers, such as 18.6 billion in the text of a filing whose
-- statement has 18,591 million. It is rounded to a tenth of a million or more, and keeps two digits: 10 million is no
-- rounding of 9 million.
create or replace macro is_rounding_of(rounded, exact) as
rounded > exact
and coalesce(
    list_bool_or(
        list_transform(
            range(5, strlen(abs(rounded)::bigint::varchar) - 1),
            lambda zeros: round(exact / pow(10, zeros)) * pow(10, zeros) = rounded
        )
    ),
    false
)
