-- Change numbers that no intact file of the lake uses, in order: one row per number.
select number, row_number() over (order by number) as place
from range(1, getvariable('last_change_sequence')::bigint + 1) as numbers (number)
anti join taken_numbers on taken_numbers.change_sequence = numbers.number
