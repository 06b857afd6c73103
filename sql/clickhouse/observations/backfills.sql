-- The twin of sql/queries/observations/backfills.sql: the number of rows of periods without a first print that match
-- the filters.
select toUInt32(count()) as rows_left_out
from asked_vintages
where not {numeric_only:Bool} or value is not null
