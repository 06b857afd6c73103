// Periods in SDMX notation.
/** Months of a period letter, as in 2020-Q2. A year alone has twelve. */
const MONTHS: Readonly<Record<string, number>> = { A: 12, S: 6, Q: 3, M: 1, '': 1 };

/** First and last day of an SDMX period: 2020, 2020-Q1, 2020-S1, 2020-05 or 2020-M05, 2020-W20, 2020-05-31, or a moment of a day. */
export function daysOf(period: string): readonly [first: string, last: string] | null {
  const day = /^(\d{4}-\d\d-\d\d)(?:T[\d:.]+(?:Z|[+-]\d\d:\d\d)?)?$/.exec(period)?.[1];
  if (day !== undefined) return isDay(day) ? [day, day] : null;
  const [, year, kind = '', number] = /^(\d{4})(?:-([AQSWM]?)(\d{1,2}))?$/.exec(period) ?? [];
  if (year === undefined) return null;
  if (number === undefined) return monthsOf(Number(year), 0, 12);
  const place = Number(number);
  if (kind === 'W') {
    const week = weekOf(Number(year), place);
    // A week belongs to the year of its Thursday. Few years have 53.
    return place >= 1 && dayText(Date.parse(week[1]) - 3 * DAY_MS).startsWith(year) ? week : null;
  }
  const months = MONTHS[kind] ?? 12;
  return place >= 1 && place <= 12 / months ? monthsOf(Number(year), (place - 1) * months, months) : null;
}

const isDay = (day: string) => !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().slice(0, 10) === day;
const dayText = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const DAY_MS = 86_400_000;

/** The day that many days later. Null after the year 9999 and before the year 0. */
export function nextDay(day: string, days: number): string | null {
  const text = dayText(Date.parse(day) + days * DAY_MS);
  // Other years have a sign.
  return /^\d/.test(text) ? text : null;
}

const monthsOf = (year: number, from: number, months: number): readonly [string, string] => [
  dayText(Date.UTC(year, from, 1)),
  dayText(Date.UTC(year, from + months, 1) - DAY_MS),
];

/** Weeks of ISO 8601: the first contains 4 January. */
function weekOf(year: number, week: number): readonly [string, string] {
  const fourth = Date.UTC(year, 0, 4);
  const monday = fourth - ((new Date(fourth).getUTCDay() + 6) % 7) * DAY_MS + (week - 1) * 7 * DAY_MS;
  return [dayText(monday), dayText(monday + 6 * DAY_MS)];
}
