-- Tables of loads, with their age in seconds. A table without a visible load was left by an interrupted load, or is
-- still being filled.
select
    name,
    toUInt64(greatest(dateDiff('second', metadata_modification_time, fromUnixTimestamp64Milli({at:Int64}, 'UTC')), 0)) as age
from system.tables
where database = currentDatabase() and match(name, '^asof_(vintages|states|values_3y|series)_[0-9a-z]+$')
