-- A table of a load that is given up.
drop table if exists {table:Identifier}
