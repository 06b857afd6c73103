-- Restored rows with their change numbers.
select missing.* replace (numbers.change_sequence as change_sequence)
from missing
left join numbers
    on numbers.source_no = getvariable('source_no')::integer and numbers.read_as = missing.change_sequence
