-- The number of rows of periods without a first print that match the filters.
select count(*) as rows_left_out
from asked_vintages(read_filters, numeric_only := $numeric_only::boolean)
