-- Deletes a table of a dropped load.
drop table if exists {table:Identifier}
