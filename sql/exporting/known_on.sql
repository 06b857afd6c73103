-- The first day on which a moment is known, if days are cut at a local time (inclusive): 22:00 is known on the next day if
-- the day is cut at 16:00.
create or replace macro known_on(moment, zone, cut) as
(timezone(zone, moment))::date + if((timezone(zone, moment))::time > cut, 1, 0)
