-- Makes a load visible, or drops it.
insert into asof_loads
values ({load_id:String}, {snapshot_id:String}, {tables_version:UInt32}, fromUnixTimestamp64Milli({written_at:Int64}, 'UTC'), {is_dropped:Bool})
