// Weeks from Monday to Sunday, in days of UTC.

const DAY_MS = 86_400_000;

const numberOf = (day) => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const dayOf = (number) => new Date(number * DAY_MS).toISOString().slice(0, 10);

/** True if the day exists: `2026-02-30` does not. */
export function isDay(text) {
  return /^\d{4}-\d{2}-\d{2}$/.test(text ?? '') && !Number.isNaN(numberOf(text)) && dayOf(numberOf(text)) === text;
}

/** True for a day, and false while its year is typed: the field then holds 0002 or 0020. */
export const isWholeDay = (text) => isDay(text) && text >= '1000';

/** The Monday of a day's week. */
export function mondayOf(day) {
  // 1970-01-01 was a Thursday.
  const number = numberOf(day);
  return dayOf(number - ((((number + 3) % 7) + 7) % 7));
}

/** The day this many days later. */
export function daysAfter(day, days) {
  return dayOf(numberOf(day) + days);
}

const LONG = new Intl.DateTimeFormat('en-GB', { weekday: 'long', day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });

/** `2026-09-04` → `Friday 4 September 2026`. */
export function longDay(day) {
  return LONG.format(new Date(`${day}T00:00:00Z`)).replace(',', '');
}
