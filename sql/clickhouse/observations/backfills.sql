-- The twin of sql/queries/observations/backfills.sql: how many rows of periods without a first print the filters would find.
select toUInt32(count()) as rows_left_out
from asked_vintages
where not {numeric_only:Bool} or value is not null
