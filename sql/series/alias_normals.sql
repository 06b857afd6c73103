-- The form of every alias in which look-ups compare it (src/snapshot/build/alias-normals.ts). Grain: alias.
create or replace table series.alias_normals (
    alias varchar,
    alias_normalized varchar
)
