-- Tables of loads, with the seconds since each was made: those of no load that is held were left by one that was broken off, or go on being filled.
select
    name,
    toUInt64(greatest(dateDiff('second', metadata_modification_time, fromUnixTimestamp64Milli({at:Int64}, 'UTC')), 0)) as age
from system.tables
where database = currentDatabase() and match(name, '^asof_(vintages|states|values_3y|series)_[0-9a-z]+$')
