// The prints of one series, and those known at a moment, selected by the interface's intervals.
import { parseCsv } from '../tables/csv.js';
import { isDay } from '../calendar/weeks.js';

/** Columns that `readPrints` reads. */
export const PRINT_COLUMNS = 'period,period_end,actual,observed_at,superseded_at,vintage,is_backfill';

const DAY_MS = 86_400_000;

/** CSV of the columns above → periods in order, each with its prints in order: { period, periodEnd, isBackfill, prints: [{ value, from, to, vintage }] }. */
export function readPrints(text) {
  const [, ...rows] = parseCsv(text);
  const byEnd = new Map();
  for (const [period, periodEnd, actual, from, to, vintage, isBackfill] of rows) {
    const print = { value: actual === '' ? null : Number(actual), from, to: to === '' ? null : to, vintage };
    const key = `${periodEnd} ${period}`;
    const found = byEnd.get(key);
    if (found === undefined) byEnd.set(key, { period, periodEnd, isBackfill: isBackfill === 'true', prints: [print] });
    else found.prints.push(print);
  }
  const periods = [...byEnd.values()].sort((a, b) => (a.periodEnd < b.periodEnd ? -1 : a.periodEnd > b.periodEnd ? 1 : 0));
  for (const { prints } of periods) prints.sort((a, b) => (a.from < b.from ? -1 : 1));
  return periods;
}

/** Where a period stands on a time axis, in seconds: at its first day; a week at its last one, by which publishers date it. */
export function placeOf({ period, periodEnd }) {
  const [, year, month, quarter] = /^(\d{4})(?:-(?:(\d\d)|Q(\d)))?$/.exec(period) ?? [];
  if (year === undefined) return Date.parse(`${periodEnd}T00:00:00Z`) / 1000;
  return Date.UTC(Number(year), quarter === undefined ? Number(month ?? 1) - 1 : 3 * (Number(quarter) - 1), 1) / 1000;
}

/** The finest kind of period of these series: 'year', 'quarter', 'month' or 'day'. Each has one kind. */
export function stepOf(...lists) {
  const found = lists.flatMap(([first]) => (first === undefined ? [] : [STEPS.findIndex(([, shape]) => shape.test(first.period))]));
  return found.includes(-1) || found.length === 0 ? 'day' : STEPS[Math.min(...found)][0];
}

/** From the finest. */
const STEPS = [
  ['month', /^\d{4}-\d\d$/],
  ['quarter', /^\d{4}-Q\d$/],
  ['year', /^\d{4}$/],
];

/** A period in words: its name, and the last day of a week, at which it stands. */
export const periodText = ({ period, periodEnd }) => (period.includes('W') ? `${period}, to ${periodEnd}` : period);

/** The UTC days on which a value became known, in order. */
export function vintageDays(periods) {
  const days = new Set();
  for (const { prints } of periods) for (const { from } of prints) days.add(from.slice(0, 10));
  return [...days].sort((a, b) => (a < b ? -1 : 1));
}

/** The cutoff of a day (its end) or an instant; null for now. */
export function momentOf(asOf) {
  if (asOf === undefined || asOf === null || asOf === '') return null;
  return /^\d{4}-\d{2}-\d{2}$/.test(asOf) ? `${asOf}T23:59:59.999Z` : new Date(asOf).toISOString();
}

/** As the interface has it: minutes, seconds and fractions of a day, and an offset. */
const INSTANT = /^(\d{4}-\d{2}-\d{2})T(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:\.\d{1,9})?)?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** True for a day, an instant and nothing, which means now; otherwise the interface reports the error. */
export function isMoment(asOf) {
  return asOf === undefined || asOf === null || asOf === '' || isDay(INSTANT.exec(asOf)?.[1] ?? asOf);
}

/** The print of a period in force at a moment (null: now); null if none was known. */
export function printAt({ prints }, moment) {
  return prints.find(({ from, to }) => (moment === null ? to === null : from <= moment && (to === null || to > moment))) ?? null;
}

/** One value per period as known at a moment; null if there was none, or if it was withdrawn. */
export function asKnown(periods, moment) {
  return periods.map((period) => printAt(period, moment)?.value ?? null);
}

/** At most this many, evenly spaced, including the last. */
export function evenly(list, most) {
  if (list.length <= most) return list;
  return Array.from({ length: most }, (_, at) => list[Math.round(((at + 1) * list.length) / most) - 1]);
}

/**
 * Each print minus the first by days since the first, for periods with a first print (not backfills). → { periods: [{ period, steps: [[days,
 * difference]], until }] }; `until`: the days that the period was observed.
 */
export function revisionPaths(periods, moment) {
  const end = moment ?? periods.reduce((last, { prints }) => (prints.at(-1).from > last ? prints.at(-1).from : last), '');
  return periods.flatMap(({ period, isBackfill, prints }) => {
    const [first] = prints;
    if (isBackfill || first.from > end || first.value === null) return [];
    const known = prints.filter(({ from }) => from <= end);
    const steps = known.map(({ from, value }) => [daysBetween(first.from, from), value === null ? null : value - first.value]);
    return [{ period, steps, until: daysBetween(first.from, end) }];
  });
}

const daysBetween = (from, to) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** The difference in force this many days after the first print; undefined if it was not observed that long. */
export function differenceAt({ steps, until }, days) {
  if (days > until) return undefined;
  let value;
  for (const [at, difference] of steps) {
    if (at > days) break;
    value = difference;
  }
  return value;
}

/** Fewer paths have no 10 % and 90 % quantiles. */
export const LEAST_PATHS = 5;

/**
 * Median, 10 % and 90 % quantiles of the paths at each day on which one of them changes, at most `most`, and at the end of the span:
 * { days, count, low, median, high }, null if there are too few paths.
 */
export function fanOf(paths, span = Infinity, most = 200) {
  const end = Math.min(
    span,
    paths.reduce((longest, { until }) => Math.max(longest, until), 0),
  );
  const moves = paths.flatMap(({ steps }) => steps.map(([at]) => at)).filter((at) => at < end);
  const days = evenly(
    [...new Set([0, ...moves, end])].sort((a, b) => a - b),
    most,
  );
  const at = days.map((day) => {
    const values = paths.map((path) => differenceAt(path, day)).filter((value) => value !== undefined && value !== null);
    values.sort((a, b) => a - b);
    return values;
  });
  const part = (share) => at.map((values) => (values.length < LEAST_PATHS ? null : quantile(values, share)));
  return { days, count: at.map((values) => values.length), low: part(0.1), median: part(0.5), high: part(0.9) };
}

/** Of sorted values, linear between them (type 7 of Hyndman and Fan 1996). */
export function quantile(sorted, share) {
  const place = (sorted.length - 1) * share;
  const [below, above] = [sorted[Math.floor(place)], sorted[Math.ceil(place)]];
  return below + (above - below) * (place - Math.floor(place));
}
