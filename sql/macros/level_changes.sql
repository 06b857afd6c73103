-- Change of the level of one canonical indicator on the level of the period that ended `months` earlier, both as they stood at the same moment, in
-- the unit of the level. One row as in level_pairs. A withdrawn level gives null.
create or replace macro level_changes(derived_id, change_unit, level_id, level_frequency, months) as table
    select
        derived_id as canonical_id,
        change_unit as unit,
        * exclude (level, level_before),
        if(isfinite(level - level_before), level - level_before, null) as value,
    from level_pairs(level_id, level_frequency, months)
