-- The twin of sql/macros/calendar_place.sql and place_a_year_before.sql. It is put in front of the statements that name
-- it. Days count from 1970, because ClickHouse's calendar begins in 1900. Years count from March, so that a leap day
-- ends one. Months, quarters and years count from the year 0, weeks from the one in which it begins.
year -> 365 * year + intDiv(year, 4) - intDiv(year, 100) + intDiv(year, 400) as days_before,
day -> day + 719468 as since_year_0,
day -> modulo(since_year_0(day), 146097) as of_cycle,
day -> intDiv(of_cycle(day) - intDiv(of_cycle(day), 1460) + intDiv(of_cycle(day), 36524) - intDiv(of_cycle(day), 146096), 365)
+ 400 * intDiv(since_year_0(day), 146097) as march_year_of,
day -> 12 * march_year_of(day) + intDiv(5 * (since_year_0(day) - days_before(march_year_of(day))) + 2, 153) + 2 as month_of,
day -> intDiv(since_year_0(day) + 2, 7) as week_of,
-- The first week of a year contains 4 January.
year -> intDiv(days_before(year - 1) + 311, 7) as first_week_of,
day -> intDiv(month_of(day), 12)
- toInt32(week_of(day) < first_week_of(intDiv(month_of(day), 12)))
+ toInt32(week_of(day) >= first_week_of(intDiv(month_of(day), 12) + 1)) as week_year_of,
(frequency, day) -> multiIf(
    frequency = 'annual', intDiv(month_of(day), 12),
    frequency = 'quarterly', intDiv(month_of(day), 3),
    frequency = 'monthly', month_of(day),
    frequency = 'weekly', week_of(day),
    null
) as calendar_place,
day -> week_of(day) - first_week_of(week_year_of(day)) + first_week_of(week_year_of(day) - 1) as week_a_year_before,
(frequency, day) -> multiIf(
    frequency = 'annual', calendar_place(frequency, day) - 1,
    frequency = 'quarterly', calendar_place(frequency, day) - 4,
    frequency = 'monthly', calendar_place(frequency, day) - 12,
    frequency = 'weekly', if(week_a_year_before(day) < first_week_of(week_year_of(day)), week_a_year_before(day), -1),
    null
) as place_a_year_before
